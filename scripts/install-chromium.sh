#!/usr/bin/env bash
# Installs Debian's Chromium for the browser tests where it is missing, and its headless shell, in which the
# tests of pages take less time. Without the shell they use the browser.
set -euo pipefail
has_browser() { command -v chromium >/dev/null; }
if has_browser && [ -x /usr/lib/chromium/chromium-headless-shell ]; then exit 0; fi
if [ "$(id -u)" -ne 0 ]; then
  if has_browser; then exit 0; fi
  echo "error: the browser tests need Chromium, and installing it needs root" >&2
  echo "hint: run 'sudo apt-get install chromium chromium-headless-shell', then 'npm test' again" >&2
  exit 1
fi
echo "Installing Chromium from Debian for the browser tests …" >&2
export DEBIAN_FRONTEND=noninteractive
install() { apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
apt-get update -qq || has_browser
has_browser || install chromium fonts-dejavu-core
install chromium-headless-shell ||
  echo "The headless shell could not be installed: tests of pages use the browser and take longer." >&2
