"""Asks the strict verifier of `cryptography` whether a client holds a good certificate, and says whose it is.

strict.py CA LEAF: PEM files. Prints the kinds of its subject alternative names.
"""

import pathlib
import sys

from cryptography import x509
from cryptography.x509 import verification

ca, leaf = (x509.load_pem_x509_certificate(pathlib.Path(file).read_bytes()) for file in sys.argv[1:3])
store = verification.Store([ca])
verified = verification.PolicyBuilder().store(store).build_client_verifier().verify(leaf, [])
print(",".join(type(name).__name__ for name in verified.subjects))
