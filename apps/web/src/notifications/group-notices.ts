import type { Notice } from './notice-row.tsx';

/** Notifications of one kind on one day. */
export interface NoticeGroup {
  code: string;
  notices: readonly Notice[];
}

const dayOf = (iso: string): string => new Date(iso).toDateString();

/** By day and within it by kind, each in the order of its newest. The days are the reader's. */
export function groupNotices(notices: readonly Notice[]): { day: string; groups: readonly NoticeGroup[] }[] {
  const days = new Map<string, { day: string; byCode: Map<string, Notice[]> }>();
  for (const notice of notices) {
    const key = dayOf(notice.at);
    const day = days.get(key) ?? { day: notice.at, byCode: new Map<string, Notice[]>() };
    days.set(key, day);
    day.byCode.set(notice.code, [...(day.byCode.get(notice.code) ?? []), notice]);
  }
  return [...days.values()].map(({ day, byCode }) => ({
    day,
    groups: [...byCode].map(([code, grouped]) => ({ code, notices: grouped })),
  }));
}
