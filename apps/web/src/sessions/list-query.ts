import type { ListAddress } from '../frame/list-address.ts';

/** The midnight with which a day begins by the reader's own clock, `later` days on; what is no day is left as it is. */
export function midnightOf(text: string, later = 0): string {
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!day) return text;
  return new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3]) + later).toISOString();
}

/** The list's query as the address has it. The address names days, both ends included; the server takes moments. */
export function queryOfAddress(address: Pick<ListAddress, 'page' | 'pageSize' | 'all' | 'one'>) {
  const many = (name: string) => {
    const values = address.all(name);
    return values.length > 0 ? { [name]: values } : {};
  };
  const one = (name: string, read = (value: string) => value) => {
    const value = address.one(name);
    return value ? { [name]: read(value) } : {};
  };
  return {
    page: address.page,
    pageSize: address.pageSize,
    ...one('search'),
    ...many('status'),
    ...many('workflowId'),
    ...many('sourceType'),
    ...many('archiveState'),
    ...one('from', midnightOf),
    ...one('to', (day) => midnightOf(day, 1)),
    ...one('sort'),
    ...one('direction'),
  };
}
