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
    // Each icon alone is smaller than the head of the file it would come in; words of checks, actions and layouts grow
    // with every language and kind, apart from the code that reads them.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'icons', test: /@tabler[\\/]icons-react/ },
            { name: 'kind-words', test: /prepress[\\/]dist[\\/](?:checks|fixes|layouts|marks)[\\/].*messages/ },
          ],
        },
      },
    },
  },
  server: { proxy },
  preview: { proxy },
});
