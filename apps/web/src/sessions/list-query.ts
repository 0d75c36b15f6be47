import type { ListAddress } from '../frame/list-address.ts';

/** Local midnight of a day plus `later` days as an ISO time; other text is returned unchanged. */
export function midnightOf(text: string, later = 0): string {
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!day) return text;
  return new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3]) + later).toISOString();
}

/** The query for the server. The address has days, both inclusive; the server takes times. */
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
    ...one('stepId'),
    ...many('sourceType'),
    ...many('archiveState'),
    ...one('waitingForMe'),
    ...one('from', midnightOf),
    ...one('to', (day) => midnightOf(day, 1)),
    ...one('sort'),
    ...one('direction'),
  };
}
