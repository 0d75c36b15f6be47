import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** A host that outgoing connections must not reach: this machine, private networks, special ranges. */
export class BlockedHostError extends Error {
  override readonly name = 'BlockedHostError';
}

const blocked = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [net = '', bits] = range.split('/');
  blocked.addSubnet(net, Number(bits), 'ipv4');
}
// An IPv4 address inside of an IPv6 one (`::ffff:127.0.0.1`) is compared as that by the list itself.
for (const range of [
  // IPv4-compatible addresses, `::` and `::1` among them, and the forms of translators.
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]) {
  const [net = '', bits] = range.split('/');
  blocked.addSubnet(net, Number(bits), 'ipv6');
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether an address is one that users must not make this server connect to. */
export function isBlockedAddress(address: string): boolean {
  const own = new BlockList();
  for (const entry of Object.values(networkInterfaces()).flatMap((list) => list ?? []))
    own.addAddress(entry.address, familyOf(entry.address));
  return [own, blocked].some((list) => list.check(address, familyOf(address)));
}

/**
 * The address to connect to for a host name. Resolved once and every address checked, so that the name cannot point
 * elsewhere between check and connection. A host that the environment names `isAllowed`: its addresses are not checked.
 * @throws BlockedHostError
 */
export async function vetHost(host: string, { isAllowed = false } = {}): Promise<string> {
  const plain = host
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '');
  const isOdd = !isIP(plain) && !/^(?=.{1,253}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(plain);
  // The resolver reads `2130706433` and `0x7f.1` as IPv4 addresses.
  if (isOdd || (!isIP(plain) && /^(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+))*$/.test(plain)))
    throw new BlockedHostError(plain);
  const answers = isIP(plain) ? [{ address: plain }] : await lookup(plain, { all: true });
  const [first] = answers;
  if (!first) throw new BlockedHostError(plain);
  if (!isAllowed && answers.some(({ address }) => isBlockedAddress(address))) throw new BlockedHostError(plain);
  return first.address;
}
