import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from './fixtures/app.ts'

const CLI = join(import.meta.dirname, '..', 'backend', 'cli', 'augury.mjs')
const run = promisify(execFile)

/** Output of the command line when it finds no desktop. */
async function augury(dataDir: string, ...args: string[]): Promise<string> {
  const env = { PATH: '/usr/bin:/bin', HOME: dataDir }
  const { stdout } = await run(process.execPath, [CLI, ...args, '--data', dataDir], { env })
  return stdout.trim()
}

/** The user of the page's own requests: the name, or the status of the error. */
const whoAsks = () =>
  fetch('/api/auth/me').then(async (answer) =>
    answer.ok ? ((await answer.json()) as { user: { name: string } }).user.name : answer.status,
  )

test('augury open signs the page in, once, and a reload requires no ticket [auth.ticket.open]', async ({
  services,
  page,
  browser,
}) => {
  const app = await services.start(['--source', 'none'])
  const address = await augury(app.dataDir, 'open', 'HELP')
  await page.goto(address)
  await expect(page.getByRole('region', { name: 'Help', exact: true }).first()).toBeVisible()
  expect(page.url()).toBe(`${app.url}/`)
  expect(await page.evaluate(whoAsks)).toBe('Owner')
  expect(await page.evaluate('document.cookie')).toBe('')
  await page.reload()
  expect(await page.evaluate(whoAsks)).toBe('Owner')

  const stranger = await browser.newPage()
  await stranger.goto(address)
  await expect(stranger).toHaveURL(`${app.url}/`)
  expect(await stranger.evaluate(whoAsks)).toBe(401)
  expect((await stranger.request.get(`${app.url}/api/public/markets`)).status()).toBe(200)
  await stranger.close()
})

test('a data key created on the command line opens the data service until it is revoked [keys.data.cli]', async ({
  services,
}) => {
  const app = await services.start(['--source', 'none'])
  const key = await augury(app.dataDir, 'keys', 'create', 'feed', '--data-service')
  const read = async () =>
    (await fetch(`${app.url}/v1/markets`, { headers: { authorization: `Bearer ${key}` } })).status
  expect(await read()).toBe(200)
  const id = /dkey_\w+/.exec(await augury(app.dataDir, 'keys', '--data-service'))?.[0] ?? ''
  await augury(app.dataDir, 'keys', 'revoke', id, '--data-service', '--yes')
  expect(await read()).toBe(401)
  await app.stop()
  const state = readFileSync(join(app.dataDir, 'state.sqlite'), 'latin1')
  expect(state).toContain(key.slice(0, 12))
  expect(state).not.toContain(key.slice(12))
})
