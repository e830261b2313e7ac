//! Whom encrypted connections trust: the chain is verified up to an authority, and the server's name is held against
//! its certificate.

use crate::config::Trust;
use meadow_service::export::TargetError;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use std::path::Path;
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// A maker of connections that trust `trust`.
pub(crate) fn connector(trust: &Trust) -> Result<MakeRustlsConnect, TargetError> {
    let roots = match trust {
        Trust::Platform => platform(),
        Trust::File(path) => file(path),
    };
    let failed = |error: rustls::Error| TargetError::Failed(format!("TLS cannot be set up: {error}"));
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(failed)?
        .with_root_certificates(roots?)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// The authorities in a file.
fn file(path: &Path) -> Result<RootCertStore, TargetError> {
    let shown = path.display();
    let failed = |why: String| {
        TargetError::Failed(format!(
            "the certificates in {shown} cannot be read ({why}); sslrootcert or MEADOW_POSTGRES_CA names a PEM file of trusted authorities"
        ))
    };
    let mut roots = RootCertStore::empty();
    let certificates = CertificateDer::pem_file_iter(path).map_err(|error| failed(error.to_string()))?;
    for certificate in certificates {
        let certificate = certificate.map_err(|error| failed(error.to_string()))?;
        roots.add(certificate).map_err(|error| failed(error.to_string()))?;
    }
    if roots.is_empty() {
        return Err(failed("there is none".into()));
    }
    Ok(roots)
}

/// The authorities that the platform trusts; those that cannot be read are left out, as others do.
fn platform() -> Result<RootCertStore, TargetError> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        let why = found
            .errors
            .first()
            .map(|error| format!(" ({error})"))
            .unwrap_or_default();
        return Err(TargetError::Failed(format!(
            "this machine trusts no certificate authorities{why}; install ca-certificates, or name a PEM file with sslrootcert in the URL or MEADOW_POSTGRES_CA"
        )));
    }
    Ok(roots)
}
