import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from './fixtures/app.ts'

const ROOT = join(import.meta.dirname, '..')
const FLAGS = ['--port', '0', '--source', 'none']
let child: ChildProcess | null = null

test.afterEach(() => child?.kill('SIGTERM'))

/** The command that `npm start` runs, on a machine without a display. */
function launch(dataDir: string) {
  const args = [join(ROOT, 'electron', 'launch.ts'), ...FLAGS, '--data', dataDir]
  const env = { PATH: '/usr/bin:/bin', HOME: dataDir }
  const launched = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  const reader = createInterface({ input: launched.stdout }).on('line', (line) => lines.push(line))
  const firstLine = new Promise<string>((resolve) => reader.once('line', resolve))
  const exited = new Promise<number | null>((resolve) => launched.once('exit', resolve))
  child = launched
  return { lines, firstLine, exited }
}

test('without a display it prints one sentence with its address, and Ctrl+C ends it', async ({
  services,
}) => {
  const { lines, firstLine, exited } = launch(services.dataDir)
  const sentence = await firstLine
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(sentence)?.[0] ?? ''
  expect(sentence).toMatch(/^Augury runs at .*Ctrl\+C stops it\.$/)
  expect((await fetch(`${address}/api/health`)).status).toBe(200)
  child?.kill('SIGINT')
  expect(await exited).toBe(0)
  expect(lines).toHaveLength(1)
  await expect(fetch(`${address}/api/health`)).rejects.toThrow()
})

test('it prints the address of the instance that already serves the folder', async ({
  services,
}) => {
  const app = await services.start(['--source', 'none'])
  const { firstLine, exited } = launch(services.dataDir)
  expect(await firstLine).toContain(`Augury already runs at ${app.url}`)
  expect(await exited).toBe(0)
  expect((await fetch(`${app.url}/api/health`)).status).toBe(200)
  await app.stop()
})
