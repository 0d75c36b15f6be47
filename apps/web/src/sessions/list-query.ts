import type { ListAddress } from '../frame/list-address.ts';

/** Local midnight of a day plus `later` days as an ISO time; other text is returned unchanged. */
export function midnightOf(text: string, later = 0): string {
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!day) return text;
  return new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3]) + later).toISOString();
}

/** Days that are counted from today, so that a saved view means the same every day. */
export const periods = ['today', 'yesterday', 'last7Days', 'last30Days', 'thisMonth', 'lastMonth'] as const;
type Period = (typeof periods)[number];

/** First day of a period and the day after its last, at local midnight, as ISO times. */
export function spanOf(period: Period, now = new Date()): { from: string; to: string } {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const between = (from: Date, to: Date) => ({
    from: from.toISOString(),
    to: to.toISOString(),
  });
  const days = (first: number, end: number) =>
    between(new Date(year, month, day + first), new Date(year, month, day + end));
  return {
    today: () => days(0, 1),
    yesterday: () => days(-1, 0),
    last7Days: () => days(-6, 1),
    last30Days: () => days(-29, 1),
    thisMonth: () => between(new Date(year, month, 1), new Date(year, month + 1, 1)),
    lastMonth: () => between(new Date(year, month - 1, 1), new Date(year, month, 1)),
  }[period]();
}

export const isPeriod = (text: string | null): text is Period => (periods as readonly (string | null)[]).includes(text);

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
  const period = address.one('period');
  return {
    page: address.page,
    pageSize: address.pageSize,
    ...one('search'),
    ...many('status'),
    ...many('resultLevel'),
    ...many('workflowId'),
    ...many('organizationId'),
    ...one('stepId'),
    ...many('sourceType'),
    ...one('externalId'),
    ...many('archiveState'),
    ...one('waitingForMe'),
    ...one('mine'),
    ...one('proof'),
    ...one('customer'),
    ...one('from', midnightOf),
    ...one('to', (day) => midnightOf(day, 1)),
    ...(isPeriod(period) ? spanOf(period) : {}),
    ...one('sort'),
    ...one('direction'),
  };
}
