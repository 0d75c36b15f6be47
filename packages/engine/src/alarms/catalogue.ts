import type { Alarm } from './alarm.ts';
import { alarmTable } from './alarm-table.ts';

export type AlarmKind = keyof typeof alarmTable;

/** Every kind of alarm with its name, in the order in which they are listed. */
export const alarms = Object.entries(alarmTable) as [AlarmKind, Alarm][];
