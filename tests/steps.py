"""What tests of clients share: how a check is counted, and the steps that every client takes.

A client that shows its model only `content[0].text` must get everything, so that the steps read nothing else.
"""
import json

WRITER, READER = "systems_thinking_writer", "systems_thinking_reader"
counts = {"passed": 0, "failed": 0}


def check(name, holds, seen):
    counts["passed" if holds else "failed"] += 1
    print(f"{'ok ' if holds else 'BAD'} {name}" + ("" if holds else f": {seen!r}"[:2000]), flush=True)


def end():
    """Prints how many checks held; the exit code."""
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return 1 if counts["failed"] else 0


def first(result):
    """The one text of a result, which must hold all that its structured content does."""
    text = result.content[0].text
    structured = result.structured_content
    if len(result.content) != 1 or (structured is not None and json.loads(text) != structured):
        raise ValueError(f"the first text does not hold everything: {result!r}")
    return text


async def steps(name, client, model):
    """Lists, writes the model to complete, reads it back, meets errors. `client` is one of mcp, or of fastmcp."""

    def method(name):
        # fastmcp's own methods unpack results and raise errors of tools.
        return getattr(client, f"{name}_mcp", None) or getattr(client, name)

    async def call(tool, arguments):
        result = await method("call_tool")(tool, arguments)
        return result.is_error, first(result)

    async def refused(work):
        try:
            return f"no error, but {await work!r}"
        except Exception as error:
            return str(error)

    tools = {tool.name for tool in (await method("list_tools")()).tools}
    check(f"{name}: the tools are listed", {WRITER, READER} <= tools, tools)
    resources = {str(resource.uri) for resource in (await method("list_resources")()).resources}
    check(f"{name}: the resources are listed", {"guide://systems-thinking", "example://bathtub"} <= resources, resources)
    templates = {template.uri_template for template in (await method("list_resource_templates")()).resource_templates}
    check(f"{name}: the templates are listed", "model://{id}" in templates, templates)

    document = {**model, "system_name": f"Of {name}"}
    bad, text = await call(WRITER, {**document, "stocks": []})
    answer = json.loads(text)
    check(f"{name}: a gap is told", not bad and not answer["complete"] and "stocks" in answer["missing_fields"], text)
    bad, text = await call(WRITER, document)
    answer = json.loads(text)
    check(f"{name}: the model is complete", not bad and answer["complete"], text)
    bad, text = await call(READER, {"model": answer["model"]} if "model" in answer else {})
    check(f"{name}: the reader gives it back", not bad and document["system_name"] in text, text)
    latest = await method("read_resource")("model://latest")
    check(f"{name}: the resource is the document", json.loads(latest.contents[0].text) == document, latest)

    bad, text = await call(WRITER, {"version": 1, "stocks": {}})
    check(f"{name}: a refusal names every fault", bad and all(part in text for part in ("/version", "/stocks")), text)
    seen = await refused(method("call_tool")("no_such_tool", {}))
    check(f"{name}: an unknown tool is answered with those there are", "no_such_tool" in seen and WRITER in seen, seen)
    seen = await refused(method("read_resource")("model://no-such-model"))
    check(f"{name}: an unknown resource is an error that names it", "no-such-model" in seen, seen)
