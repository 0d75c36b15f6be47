import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** In development the API runs apart; `API_URL` says where. */
const api = process.env.API_URL ?? 'http://127.0.0.1:3000';

const proxy = { '/api': { target: api, changeOrigin: false } };

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    manifest: true,
    // The oldest browsers that know everything we use; no transforms for older ones.
    target: ['chrome111', 'firefox114', 'safari16.4'],
    sourcemap: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Each icon alone is smaller than the head of the file it would come in.
            { name: 'icons', test: /@tabler[\\/]icons-react/ },
            // What zod is told must be told in its own chunk: every chunk with schemas is evaluated after it.
            { name: 'zod', test: /[\\/]node_modules[\\/]zod[\\/]|[\\/]no-eval\.ts$/ },
          ],
        },
      },
    },
  },
  server: { proxy },
  preview: { proxy },
});
