import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['{backend,electron,renderer,scripts,e2e,bench}/**/*.test.ts'],
          exclude: ['**/*.routes.test.ts', '**/*.svelte.test.ts'],
        },
      },
      {
        plugins: [svelte()],
        resolve: { conditions: ['browser'] },
        test: {
          name: 'page',
          environment: 'jsdom',
          include: ['renderer/**/*.svelte.test.ts'],
        },
      },
      {
        test: {
          name: 'api',
          environment: 'node',
          include: ['backend/**/*.routes.test.ts'],
        },
      },
    ],
  },
})
