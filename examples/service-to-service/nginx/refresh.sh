#!/bin/sh
# Brings the authorities of an account and their revocation lists to where nginx reads them, and has it read them. Run it
# before nginx starts, and then each minute (a systemd timer, cron). When it fails, the files of before stay: the lists say
# themselves until when they are good.
#
#   PKI_URL=https://control.example.com/pki/acc_… FOLDER=/etc/callee PID_FILE=/run/callee/nginx.pid ./refresh.sh
set -eu
: "${PKI_URL:?}" "${FOLDER:?}" "${PID_FILE:?}"

for file in ca.pem crl.pem; do
  curl --fail --silent --show-error --max-time 10 --output "$FOLDER/$file.new" "$PKI_URL/$file"
done
# Never a list that none of these authorities signed, nor an empty file.
openssl crl -in "$FOLDER/crl.pem.new" -CAfile "$FOLDER/ca.pem.new" -noout 2>/dev/null
if cmp -s "$FOLDER/ca.pem.new" "$FOLDER/ca.pem" && cmp -s "$FOLDER/crl.pem.new" "$FOLDER/crl.pem"; then
  exit 0
fi
mv "$FOLDER/ca.pem.new" "$FOLDER/ca.pem"
mv "$FOLDER/crl.pem.new" "$FOLDER/crl.pem"
if [ -s "$PID_FILE" ]; then
  kill -HUP "$(cat "$PID_FILE")"
fi
