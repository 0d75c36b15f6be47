import { expect, test } from 'vitest';
import { groupNotices } from './group-notices.ts';
import type { Notice } from './notice-row.tsx';

const notice = (id: string, code: string, at: string): Notice => ({
  id,
  code,
  kind: code,
  severity: 'Error',
  params: {},
  message: id,
  whatToDo: null,
  link: null,
  at,
  endedAt: null,
  isRead: false,
});

test('notifications stand by day and within it by kind, the newest first, and none is lost', () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
  const groups = groupNotices([
    notice('a', 'mail.dead', at(26, 12)),
    notice('b', 'session.failed', at(26, 11)),
    notice('c', 'mail.dead', at(26, 10)),
    notice('d', 'mail.dead', at(25, 23)),
  ]);
  expect(
    groups.map((day) => day.groups.map((group) => [group.code, group.notices.map(({ id }) => id).join()])),
  ).toEqual([
    [
      ['mail.dead', 'a,c'],
      ['session.failed', 'b'],
    ],
    [['mail.dead', 'd']],
  ]);
});
