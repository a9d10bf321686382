# Imports a key store (PKCS #12) into the NSS database that Chromium reads, with the calls that Chromium and pk12util make:
# nss-import.py FOLDER FILE, the passphrase on standard input. Exit code 3: the libraries are not here.

import ctypes
import sys

try:
    nss = ctypes.CDLL('libnss3.so')
    smime = ctypes.CDLL('libsmime3.so')
    util = ctypes.CDLL('libnssutil3.so')
except OSError as error:
    print(error, file=sys.stderr)
    sys.exit(3)


class Item(ctypes.Structure):
    _fields_ = [('type', ctypes.c_int), ('data', ctypes.c_void_p), ('length', ctypes.c_uint)]


def check(what, failed):
    if failed:
        sys.exit(f'{what}: NSS error {nss.PORT_GetError()}')


@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int), ctypes.c_void_p)
def name_anew(_old, _cancel, _context):
    name = b'authority\0'
    util.SECITEM_AllocItem_Util.restype = ctypes.c_void_p
    item = util.SECITEM_AllocItem_Util(None, None, len(name))
    ctypes.memmove(Item.from_address(item).data, name, len(name))
    return item


folder, file = sys.argv[1:]
check('NSS_InitReadWrite', nss.NSS_InitReadWrite(f'sql:{folder}'.encode()))
nss.PK11_GetInternalKeySlot.restype = ctypes.c_void_p
slot = ctypes.c_void_p(nss.PK11_GetInternalKeySlot())
if nss.PK11_NeedUserInit(slot):
    check('PK11_InitPin', nss.PK11_InitPin(slot, None, None))
text = (sys.stdin.read().strip() + '\0').encode('utf-16-be')
buffer = ctypes.create_string_buffer(text, len(text))
passphrase = Item(0, ctypes.cast(buffer, ctypes.c_void_p), len(text))
smime.SEC_PKCS12DecoderStart.restype = ctypes.c_void_p
decoder = smime.SEC_PKCS12DecoderStart(ctypes.byref(passphrase), slot, None, None, None, None, None, None)
check('SEC_PKCS12DecoderStart', decoder is None)
decoder = ctypes.c_void_p(decoder)
with open(file, 'rb') as opened:
    content = opened.read()
check('SEC_PKCS12DecoderUpdate', smime.SEC_PKCS12DecoderUpdate(decoder, content, len(content)))
check('SEC_PKCS12DecoderVerify', smime.SEC_PKCS12DecoderVerify(decoder))
check('SEC_PKCS12DecoderValidateBags', smime.SEC_PKCS12DecoderValidateBags(decoder, name_anew))
check('SEC_PKCS12DecoderImportBags', smime.SEC_PKCS12DecoderImportBags(decoder))
smime.SEC_PKCS12DecoderFinish(decoder)
nss.PK11_FreeSlot(slot)
check('NSS_Shutdown', nss.NSS_Shutdown())
