/** Raised whenever a verdict may come out differently: reports of different versions are not comparable one to one. */
export const engineVersion = '1.1.0';
