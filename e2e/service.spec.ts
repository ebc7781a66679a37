import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from './fixtures/app.ts'

const EMPTY = ['--source', 'none']
test('prints its address in one line, and stops cleanly within 5 s', async ({ services }) => {
  const app = await services.start(EMPTY)
  expect(app.ready).toEqual({
    ready: true,
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    source: 'none',
    dataDir: services.dataDir,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  })
  expect((await fetch(`${app.url}/api/health`)).status).toBe(200)
  const requestedAt = performance.now()
  expect(await app.stop()).toBe(0)
  expect(performance.now() - requestedAt).toBeLessThan(5_000)
  expect(app.output()).toHaveLength(1)
})

test('creates a launch file readable by its owner only, and removes it', async ({ services }) => {
  const path = join(services.dataDir, 'run', 'launch.json')
  const app = await services.start(EMPTY)
  const launch = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
  expect(launch).toMatchObject({ url: app.url, secret: expect.stringMatching(/^[\w-]{43}$/) })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await app.stop()
  await expect(stat(path)).rejects.toThrow('ENOENT')
})

test('a second instance on the same folder exits 3 and names the first', async ({ services }) => {
  const app = await services.start(EMPTY)
  const second = await services.runToEnd(EMPTY)
  expect(second).toMatchObject({ code: 3, stdout: '' })
  expect(second.stderr).toContain(String(app.pid))
  expect((await fetch(`${app.url}/api/health`)).status).toBe(200)
  await app.stop()
})

test('starts again on the folder of a killed instance', async ({ services }) => {
  const app = await services.start(EMPTY)
  expect(await app.stop('SIGKILL')).toBeNull()
  const again = await services.start(EMPTY)
  expect(await again.stop()).toBe(0)
})

for (const flags of [['--nope'], ['--source', 'moon'], ['--port', '70000'], ['--seed']]) {
  test(`refuses ${flags.join(' ')} with exit code 2`, async ({ services }) => {
    const ended = await services.runToEnd(flags)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(flags[0])
  })
}

test('a port in use is reported, not retried', async ({ services }) => {
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  const address = holder.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  const ended = await services.runToEnd([...EMPTY, '--port', port])
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain(port)
  await new Promise((resolve) => holder.close(resolve))
})

test('a data folder that cannot be created is reported', async ({ services }) => {
  const file = join(services.dataDir, 'a-file')
  await writeFile(file, '')
  const ended = await services.runToEnd(EMPTY, join(file, 'below'))
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain(file)
})
