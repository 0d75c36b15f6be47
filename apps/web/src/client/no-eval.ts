import { z } from 'zod';

/**
 * zod would compile its checks out of text, and tries at the first schema that is made: the content policy forbids that,
 * and the browser would report it. So this stands before every schema (see `codeSplitting` in vite.config.ts).
 */
z.config({ jitless: true });
