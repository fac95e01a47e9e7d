#!/bin/sh
# Runs the tests of the kernels with AVX-512 on a machine that has none: in Bochs, a PC
# emulated instruction by instruction (its i7-7800X has AVX-512 but no VNNI). It boots a
# Linux kernel whose only program is the test binary; some five minutes of one core.
#
#   docs/bench/avx512-in-bochs.sh                        every kernel test
#   docs/bench/avx512-in-bochs.sh -test.run Second       arguments go to the test binary
#
# Debian 12: apt-get install --no-install-recommends bochs bochsbios vgabios bochs-term \
#   linux-image-cloud-amd64 busybox-static cpio grub-pc-bin grub-common xorriso mtools
# Exit status 1 when a test fails or the machine stops before the last one.
set -eu
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
keys='' emulator=''
# What runs in the background ignores Ctrl-C, so it is ended here.
leave() {
	[ -z "$emulator" ] || pkill -P "$emulator" || :
	[ -z "$keys" ] || kill "$keys" 2>/dev/null || :
	rm -rf "$dir"
}
trap leave EXIT
trap 'exit 130' INT TERM
root=$dir/root iso=$dir/iso
mkdir -p "$root/bin" "$iso/boot/grub"

CGO_ENABLED=0 go test -c -o "$root/bin/kernel.test" ./internal/kernel
cp "$(command -v busybox)" "$root/bin/busybox"
args=$(for a; do printf " '%s'" "$a"; done)
cat > "$root/init" <<EOF
#!/bin/busybox sh
/bin/busybox mkdir -p /proc /dev /tmp
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t devtmpfs dev /dev
exec >/dev/ttyS0 2>&1
/bin/busybox grep -q avx512bw /proc/cpuinfo || echo "no AVX-512 here"
cd /tmp
/bin/kernel.test -test.v -test.timeout 10h$args && echo "all passed with AVX-512"
echo "the end"
/bin/busybox poweroff -f
EOF
chmod +x "$root/init"
(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) > "$iso/boot/initrd.gz"
cp "$(ls /boot/vmlinuz-*-cloud-amd64 | tail -n 1)" "$iso/boot/vmlinuz"
# Bochs gives the sizes of saved registers for the standard format only, so the kernel is
# told to forget the compacted one (321 and 323, XSAVEC and XSAVES).
cat > "$iso/boot/grub/grub.cfg" <<'EOF'
set timeout=0
menuentry linux {
	linux /boot/vmlinuz console=ttyS0,115200 quiet nokaslr mitigations=off nosmp nomodeset lsm=capability clearcpuid=321,323
	initrd /boot/initrd.gz
}
EOF
grub-mkrescue -o "$dir/boot.iso" "$iso" >"$dir/iso.log" 2>&1 || { cat "$dir/iso.log"; exit 1; }

cat > "$dir/bochsrc" <<EOF
cpu: model=corei7_skylake_x, count=1, ips=100000000
memory: guest=512, host=512
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
ata0-master: type=cdrom, path=$dir/boot.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$dir/serial.txt
display_library: term
sound: waveoutdrv=dummy, waveindrv=dummy, midioutdrv=dummy
panic: action=fatal
log: $dir/bochs.log
EOF
echo c > "$dir/commands" # Debian's Bochs starts in its debugger
: > "$dir/serial.txt"
# The terminal display wants a terminal, and a keyboard that is not at its end. After the
# poweroff Bochs waits for a command: it is ended then.
mkfifo "$dir/keys"
sleep 86400 > "$dir/keys" &
keys=$!
TERM=vt100 script -qfc "exec bochs -q -rc $dir/commands -f $dir/bochsrc" "$dir/screen" < "$dir/keys" > /dev/null 2>&1 &
emulator=$!
while kill -0 $emulator 2>/dev/null && ! grep -q "the end\|Kernel panic" "$dir/serial.txt"; do sleep 2; done
pkill -P $emulator || :
wait $emulator || :
grep -a "^--- \|^ok\|FAIL\|panic\|AVX-512\|_test.go" "$dir/serial.txt" || :
grep -q "^all passed with AVX-512" "$dir/serial.txt" && ! grep -q "no AVX-512 here" "$dir/serial.txt" || {
	tail -n 5 "$dir/screen" "$dir/serial.txt"
	exit 1
}
