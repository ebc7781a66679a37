#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NEEDED = 24
const binary = process.platform === 'win32' ? 'node.exe' : 'node'
const ownNode = fileURLToPath(new URL(`../../node_modules/node/bin/${binary}`, import.meta.url))

if (Number.parseInt(process.versions.node, 10) >= NEEDED) {
  const { enableCompileCache } = await import('node:module')
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/augury', import.meta.url)))
  await import('./main.ts')
} else if (existsSync(ownNode)) {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawn(ownNode, args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
} else {
  process.stderr.write('augury needs its own Node: run `npm run setup` in its folder once\n')
  process.exitCode = 1
}
