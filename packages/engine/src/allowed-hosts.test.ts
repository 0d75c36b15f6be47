import { expect, test } from 'vitest';
import { allowsCall, readAllowedHost } from './allowed-hosts.ts';

test.each([
  ['mis.local', ['https://mis.local/', 'https://MIS.local:443/x'], ['http://mis.local/', 'https://mis.local:8443/']],
  ['mis.local:8443', ['https://mis.local:8443/'], ['https://mis.local/', 'http://mis.local:8443/']],
  ['http://mis.local', ['http://mis.local/'], ['https://mis.local/', 'http://mis.local:8080/']],
  ['http://10.0.0.7:8080', ['http://10.0.0.7:8080/jobs'], ['http://10.0.0.7/', 'http://10.0.0.8:8080/']],
  ['HTTPS://Mis.Local:9000', ['https://mis.local:9000/'], ['https://mis.local/']],
  ['fd00::1', ['https://[fd00::1]/'], ['http://[fd00::1]/', 'https://[fd00::2]/']],
  ['http://[fd00::1]:81', ['http://[fd00::1]:81/'], ['http://[fd00::1]/']],
])('%s allows %j and not %j', (entry, allowed, others) => {
  const read = readAllowedHost(entry);
  const allows = (address: string) => allowsCall(read ? [read] : [], new URL(address));
  expect(allowed.filter(allows)).toEqual(allowed);
  expect(others.filter(allows)).toEqual([]);
});

test.each(['', 'a/b', 'ftp://a', 'a:0', 'a:70000', 'a:b', 'http://', 'user@a', '*', '[::1', '[a]'])(
  '%j is no entry',
  (entry) => expect(readAllowedHost(entry)).toBeNull(),
);
