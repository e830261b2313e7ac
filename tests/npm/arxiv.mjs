// A small arXiv of this machine: answers every search with the same two papers, every id_list with those it has.
import { createServer } from "node:http";

const entry = (id, title, author, abstract) => `
  <entry>
    <id>http://arxiv.org/abs/${id}v1</id>
    <title>${title}</title>
    <updated>2021-01-05T10:00:00Z</updated>
    <link href="https://arxiv.org/abs/${id}v1" rel="alternate" type="text/html"/>
    <link href="https://arxiv.org/pdf/${id}v1" rel="related" type="application/pdf" title="pdf"/>
    <summary>${abstract}</summary>
    <category term="physics.soc-ph" scheme="http://arxiv.org/schemas/atom"/>
    <published>2021-01-05T10:00:00Z</published>
    <arxiv:primary_category term="physics.soc-ph"/>
    <author><name>${author}</name></author>
  </entry>`;

export const PAPERS = {
  "2101.00001": entry("2101.00001", "Stocks and flows\n  of open source talent", "Ada Example", "We model how contributors come, learn and leave."),
  "2101.00002": entry("2101.00002", "Feedback &amp; delay in software teams", "Bo Example", "Delays make teams oscillate."),
};

const feed = (entries) => `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/x</id><title>arXiv Query</title><updated>2026-01-01T00:00:00Z</updated>
  <opensearch:itemsPerPage>${entries.length}</opensearch:itemsPerPage>
  <opensearch:totalResults>${entries.length}</opensearch:totalResults>
  <opensearch:startIndex>0</opensearch:startIndex>${entries.join("")}
</feed>`;

/** Starts it on a free port; gives its address, the requests that it saw, and what ends it. */
export async function arxiv() {
  const seen = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://localhost");
    seen.push(url.searchParams);
    const ids = url.searchParams.get("id_list");
    const found = ids ? ids.split(",").map((id) => PAPERS[id.replace(/v\d+$/, "")]).filter(Boolean) : Object.values(PAPERS);
    response.writeHead(200, { "content-type": "application/atom+xml; charset=utf-8" }).end(feed(found));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${server.address().port}/api/query`, seen, close: () => server.close() };
}
