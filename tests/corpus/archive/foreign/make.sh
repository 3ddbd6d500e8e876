#!/bin/sh
# Writes the archives of Info-ZIP's zip into the current folder. See README.md.
set -eu
export TZ=UTC LC_ALL=C.UTF-8
here=$(pwd)
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work"
mkdir -p mod/héros
i=0; while [ $i -lt 20 ]; do echo 'name = skelmap'; i=$((i + 1)); done > mod/text.txt
i=0; while [ $i -lt 256 ]; do printf "\\$(printf %o $i)"; i=$((i + 1)); done > mod/model.bin
: > mod/empty
printf 'utf-8' > mod/héros/モデル.psk
touch -d '2001-02-03 04:05:06' mod/text.txt mod/model.bin mod/empty mod/héros/* mod/héros mod

zip -q -r -0 "$here/infozip_stored.zip" mod
zip -q -r -9 -X -D "$here/infozip_deflated.zip" mod
zip -q -fd -9 "$here/infozip_descriptors.zip" mod/text.txt mod/model.bin
zip -q -fz -9 "$here/infozip_zip64.zip" mod/text.txt mod/model.bin
zip -q -0 -n .bin - mod/model.bin mod/text.txt | cat > "$here/infozip_piped.zip"
zip -q - - < mod/text.txt | cat > "$here/infozip_stdin.zip"
printf 'of an entry\nof another\n' | zip -q -c -0 "$here/infozip_comments.zip" mod/text.txt mod/model.bin
printf 'of the archive\n.\n' | zip -q -z "$here/infozip_comments.zip" > /dev/null
zip -q -0 plain.zip mod/text.txt mod/model.bin
{ echo '#!/bin/sh'; echo 'exit 0'; cat plain.zip; } > "$here/infozip_prefixed.zip"
cp "$here/infozip_prefixed.zip" "$here/infozip_adjusted.zip"
zip -q -A "$here/infozip_adjusted.zip"
zip -q -P secret -0 "$here/infozip_encrypted.zip" mod/text.txt
zip -q -Z bzip2 "$here/infozip_bzip2.zip" mod/text.txt
