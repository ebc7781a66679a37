/** Builds the named outputs of vite.config.ts: `node scripts/build.mjs client main preload backend`. */
import { join } from 'node:path'
import { createBuilder } from 'vite'

const configFile = join(import.meta.dirname, '..', 'vite.config.ts')
const builder = await createBuilder({ configFile, logLevel: 'warn' })
for (const name of process.argv.slice(2)) {
  const environment = builder.environments[name]
  if (environment === undefined) throw new Error(`vite.config.ts has no environment "${name}"`)
  await builder.build(environment)
}
