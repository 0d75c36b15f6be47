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
for (const range of [
  '::/128',
  '::1/128',
  '64:ff9b::/96',
  '100::/64',
  '2001::/23',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]) {
  const [net = '', bits] = range.split('/');
  blocked.addSubnet(net, Number(bits), 'ipv6');
}

/** `::ffff:7f00:1` and `::ffff:127.0.0.1` are the IPv4 address inside. */
function unwrap(address: string): string {
  const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(address);
  if (!mapped) return address;
  if (mapped[1]) return mapped[1];
  const [high, low] = [Number.parseInt(mapped[2] ?? '0', 16), Number.parseInt(mapped[3] ?? '0', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Whether an address is one that users must not make this server connect to. */
export function isBlockedAddress(address: string): boolean {
  const plain = unwrap(address);
  const own = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map((entry) => entry.address));
  return own.includes(plain) || blocked.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
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
