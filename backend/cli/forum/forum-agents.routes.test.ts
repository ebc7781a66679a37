import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PACKAGE_ROOT } from '../../lib/files/package-root.ts'
import { startForumService, type ForumTestService } from '../../testing/forum-service.ts'

const SCRIPT = join(PACKAGE_ROOT, 'docs', 'examples', 'forum-agents.sh')
const AUGURY = `${process.execPath} ${join(PACKAGE_ROOT, 'backend', 'cli', 'augury.mjs')}`

let service: ForumTestService
beforeAll(async () => {
  service = await startForumService()
})
afterAll(() => service.stop())

const keyOf = async (name: string): Promise<string> => {
  const member = await service.join(name)
  return (await member.send<{ key: string }>('POST', '/api/keys', {}))[1].key
}

/** Runs the example; its exit code and everything that it printed. */
async function runExample(...args: readonly string[]): Promise<{ exit: number; text: string }> {
  const env = { ...process.env, AUGURY, AUGURY_CONFIG: join(service.dataDir, 'config.json') }
  const child = spawn('sh', [SCRIPT, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const exit = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? -1))
  })
  return { exit, text }
}

it('[forum.agents.example] lets two agents talk with the command line and with curl', async () => {
  const { exit, text } = await runExample(service.url, await keyOf('asker'), await keyOf('other'))
  expect(exit, text).toBe(0)
  expect(text).toMatch(/^posted to coordination as Asker: msg_\w+\n/)
  const id = /msg_\w+/.exec(text)?.[0] ?? ''
  expect(text).toContain(
    `reply to ${id}\n  NO below 60 cents.\n  payload: {"answer":"no","limit":60}`,
  )
}, 120_000)
