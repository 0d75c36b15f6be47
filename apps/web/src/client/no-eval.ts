import { z } from 'zod';

/**
 * zod would compile its checks out of text, and tries at the first schema that is made: the content policy forbids that,
 * and the browser would report it. So this stands before every schema: in zod's own file (see vite.config.ts), which
 * every file with schemas is evaluated after, whoever it was that asked for this.
 */
z.config({ jitless: true });
