/**
 * For `parse` and `safeParse` of what a process reads once, as a child process does its profile: zod would first write and
 * compile a program for each part of the schema, which takes ten times as long as reading the profile without one.
 */
export const parseOnce = { jitless: true } as const;
