// Addresses that nothing of an account may lead to, each in every notation that some parser takes for it
// (THREATS "Outbound").

/** This machine, written in every way that some parser takes for it. */
export const LOOPBACK = [
  '127.0.0.1 127.1 127.0.1 127.255.255.254 0x7f.0.0.1 0x7f000001 0X7F.1 0177.0.0.1 017700000001 2130706433 127.0x0.1',
  '0 0.0.0.0 00000000 0x0 [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1]',
  '[::ffff:0:127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::]',
  '[2001:0:4136:e378:8000:63bf:80ff:fffe] [64:ff9b:1:7f00:0:100::] [2002:7f00:0001:0:0:0:0:1] [::ffff:0x7f.0.0.1]',
  '[::1%25lo] [::1%lo] [::ffff:127.0.0.1%25lo] 127.0.0.1.. localhost.. ::1 [::1]. 0x7f000001. 2130706433.',
  'localhost LOCALHOST localhost. foo.localhost a.b.localhost. %31%32%37.0.0.1 127%2e0.0.1 %6cocalhost',
  '\u2460\u2461\u2466.0.0.1 127\u30020\u30020\u30021 127\uff0e0\uff0e0\uff0e1 loc\u00adalhost \uff4cocalhost 127.0.0.1.',
].flatMap((some) => some.split(' '));
export const PRIVATE = [
  '10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.254 192.168.0.1 100.64.0.1 169.254.1.1 192.0.0.1 192.0.2.1 198.18.0.1',
  '198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 167772161 0xa000001 012.0.0.1 10.1',
  '[fc00::1] [fd12:3456::1] [fe80::1] [fec0::1] [ff02::1] [::ffff:10.0.0.1] [64:ff9b::a00:1] [2002:a00:1::] [2001:db8::1]',
  '[fe80::1%25eth0] [fe80::1%eth0] [::10.0.0.1] [::ffff:0:10.0.0.1] [64:ff9b:1::a00:1] [2001:0:a00:1::] [2001:0:1::f5ff:fffe]',
  '[3fff::1] [2001:10::1] [100::1] 10.0.0.1. 0300.0250.0.1 0xc0a80001 3232235521 192.168.1',
].flatMap((some) => some.split(' '));
export const METADATA = [
  '169.254.169.254 169.254.170.2 169.254.42.42 168.63.129.16 100.100.100.200 192.0.0.192 2852039166 0xa9fea9fe',
  '0251.0376.0251.0376 169.254.43518 [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::169.254.169.254] [fd00:ec2::254]',
  '[fd20:ce::254] [fd00:42::42] [64:ff9b::a9fe:a9fe] [2002:a9fe:a9fe::] [64:ff9b:1::a9fe:a9fe] 169.254.169.254.',
  '[2001:0:a9fe:a9fe::] [2001:0:1::5601:5601] [::ffff:0:169.254.169.254] [fd00:0ec2::0254] 0xa9.254.0251.0xfe 100.100.0x64c8',
].flatMap((some) => some.split(' '));

/** Everything of this machine, listed by an operator who puts logins before local ports. */
export const LISTED = [
  '127.0.0.0/8',
  '::1',
  'localhost',
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::/0',
  '0.0.0.0/0',
];
