import { z } from 'zod';

/**
 * zod compiles validators with `new Function` and probes for it with the first schema, which the content security policy
 * forbids and the browser would report. This module turns that off and must run before any schema is created, so
 * vite.config.ts puts it into zod's chunk.
 */
z.config({ jitless: true });
