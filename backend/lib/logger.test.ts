import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'

const LOGGER = new URL('./logger.ts', import.meta.url).href
/**
 * Logs in bursts, each after the previous write completed, and ends like the service.
 * On one thread for files, writes end in order.
 */
const CHATTY = `
  import { write } from 'node:fs'
  import { createLogger } from ${JSON.stringify(LOGGER)}
  const log = createLogger('info')
  process.stdout.write('started\\n')
  await new Promise((resolve) => process.stdin.once('data', resolve))
  for (let burst = 0; burst < 20; burst++) {
    log.info({ burst }, 'a line')
    await new Promise((resolve) => write(2, '\\n', () => resolve()))
  }
  process.stdout.write('alive\\n', () => process.exit(0))
`
const script = ['--input-type=module', '--eval', CHATTY]
const env = { UV_THREADPOOL_SIZE: '1' }

/** What the process printed, and its exit code. */
async function endOf(child: ReturnType<typeof spawn>, whenStarted: () => void) {
  const printed: string[] = []
  const ended = once(child, 'close')
  if (child.stdout === null) throw new Error('the process has no output')
  createInterface({ input: child.stdout }).on('line', (line) => {
    printed.push(line)
    if (line !== 'started') return
    whenStarted()
    child.stdin?.write('go\n')
  })
  const [code] = (await ended) as [number | null]
  return { printed, code }
}

describe('the log on stderr', () => {
  it.skipIf(!existsSync('/dev/full'))(
    'drops lines when the disk is full, and the process continues (skipped where there is no /dev/full)',
    async () => {
      const full = openSync('/dev/full', 'w')
      try {
        const child = spawn(process.execPath, script, { env, stdio: ['pipe', 'pipe', full] })
        expect(await endOf(child, () => {})).toEqual({ printed: ['started', 'alive'], code: 0 })
      } finally {
        closeSync(full)
      }
    },
  )

  it('drops lines when the reader is gone, and the process continues', async () => {
    const child = spawn(process.execPath, script, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    const end = await endOf(child, () => child.stderr.destroy())
    expect(end).toEqual({ printed: ['started', 'alive'], code: 0 })
  })
})
