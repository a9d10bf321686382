"""Reads certificates with the parser of `cryptography` (Rust), and says what it found as JSON.

opinion.py FOLDER: ca.pem, crl.pem, and leaves leaf-*.pem.
"""

import json
import pathlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

EKU = x509.ExtendedKeyUsageOID


def key_name(key):
    if isinstance(key, rsa.RSAPublicKey):
        return f"RSA-{key.key_size}"
    if isinstance(key, ec.EllipticCurvePublicKey):
        return {"secp256r1": "P-256", "secp384r1": "P-384"}[key.curve.name]
    assert isinstance(key, ed25519.Ed25519PublicKey)
    return "Ed25519"


def usages(usage):
    names = ["digital_signature", "content_commitment", "key_encipherment", "data_encipherment"]
    names += ["key_agreement", "key_cert_sign", "crl_sign"]
    return [name for name in names if getattr(usage, name)]


def opinion(leaf, ca, crl):
    leaf.verify_directly_issued_by(ca)
    found = {each.oid.dotted_string: each for each in leaf.extensions}
    value = {oid: each.value for oid, each in found.items()}
    names = value.get("2.5.29.17")
    return {
        "version": leaf.version.value + 1,
        "subject": leaf.subject.rfc4514_string(),
        "serial": format(leaf.serial_number, "034X"),
        "notBefore": int(leaf.not_valid_before_utc.timestamp()),
        "notAfter": int(leaf.not_valid_after_utc.timestamp()),
        "key": key_name(leaf.public_key()),
        "ca": value["2.5.29.19"].ca,
        "usages": usages(value["2.5.29.15"]),
        "clientAuthOnly": list(value["2.5.29.37"]) == [EKU.CLIENT_AUTH],
        "emails": [] if names is None else names.get_values_for_type(x509.RFC822Name),
        "extensions": sorted(found),
        "critical": sorted(oid for oid, each in found.items() if each.critical),
        "revoked": crl.get_revoked_certificate_by_serial_number(leaf.serial_number) is not None,
    }


def main():
    folder = pathlib.Path(sys.argv[1])
    ca = x509.load_pem_x509_certificate((folder / "ca.pem").read_bytes())
    crl = x509.load_pem_x509_crl((folder / "crl.pem").read_bytes())
    assert crl.is_signature_valid(ca.public_key())
    leaves = sorted(folder.glob("leaf-*.pem"))
    found = {}
    for file in leaves:
        leaf = x509.load_pem_x509_certificate(file.read_bytes())
        found[file.stem] = opinion(leaf, ca, crl)
    print(json.dumps(found))


main()
