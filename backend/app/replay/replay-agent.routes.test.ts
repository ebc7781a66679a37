import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunReport } from '../../domain/backtest/report/report.ts'
import { HOUR, MINUTE } from '../../domain/units.ts'
import { bind } from '../../http/server.ts'
import { PACKAGE_ROOT } from '../../lib/files/package-root.ts'
import { startDemoService } from '../../testing/demo-service.ts'
import { recordDay } from '../../testing/recorded-day.ts'
import { startReplayOf, type RunningReplay } from '../../testing/replayed-folder.ts'

const AGENT = join(PACKAGE_ROOT, 'docs', 'examples', 'replay-agent.mjs')
const START = '2026-11-20T14:00:00.000Z'
const FROM = Date.parse(START) - 9 * HOUR

/** Runs the example as its own process; what it printed, line by line. */
async function runAgent(args: readonly string[]): Promise<{ exit: number; lines: string[] }> {
  const child = spawn(process.execPath, [AGENT, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exit = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? -1))
  })
  return { exit, lines: output.trim().split('\n') }
}

const tallyIn = (lines: readonly string[]) =>
  JSON.parse(lines.find((line) => line.startsWith('{')) ?? '{}') as Record<string, number>

describe('the example agent', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'augury-recorded-'))
    await recordDay(dataDir, { markets: 12, from: FROM - HOUR })
  }, 120_000)
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  const keyOf = async (replay: RunningReplay): Promise<string> => {
    const { key } = await replay.ask<{ key: string }>('POST', '/api/keys', { name: 'agent' })
    return key
  }

  // [replay.agent.example]
  it('trades through a replay in step mode and prints its report', async () => {
    const replay = await startReplayOf(dataDir, { from: FROM, to: FROM + 8 * HOUR })
    try {
      const key = await keyOf(replay)
      const { exit, lines } = await runAgent([replay.url, '--key', key, '--moved', '5'])
      expect(exit, lines.join('\n')).toBe(0)
      expect(lines.join('\n')).toContain('file: ')
      const tally = tallyIn(lines)
      expect(tally['polls']).toBe(8)
      expect(tally['intents']).toBeGreaterThan(2)
      const { report, state } = await replay.ask<{ report: RunReport; state: string }>(
        ...(['GET', '/api/replay/report', undefined, `Bearer ${key}`] as const),
      )
      expect([state, report.notes.length]).toEqual(['ended', tally['intents']])
      expect(report.trades).toBeGreaterThan(0)
      expect(lines.join('\n')).toContain(`trades ${report.trades}, fees $${report.fees.toFixed(2)}`)
      for (const { at } of report.tradeList) expect(at).toBeGreaterThan(FROM)
    } finally {
      await replay.stop()
    }
  }, 120_000)

  // [replay.agent.example]
  it('runs unchanged against a demo service', async () => {
    const demo = await startDemoService({ seed: 5, markets: 24, start: START })
    const bound = await bind({ host: '127.0.0.1', port: 0 })
    demo.service.serveOn(bound, 'launch-secret-of-the-demo')
    try {
      const created = await fetch(`${bound.url}/api/keys`, {
        method: 'POST',
        headers: { authorization: 'Launch launch-secret-of-the-demo' },
      })
      const { key } = (await created.json()) as { key: string }
      const args = ['--polls', '3', '--every', '1', '--moved', '0.1', '--key', key]
      const running = runAgent([bound.url, ...args])
      const isOver = running.then(() => true)
      while (!(await Promise.race([isOver, demo.advance(MINUTE, 10_000).then(() => false)])));
      const { exit, lines } = await running
      expect([exit, tallyIn(lines)['polls']]).toEqual([0, 3])
      expect(lines.at(-1)).toMatch(/^fills \d+, balance \$\d+\.\d\d, equity \$\d+\.\d\d$/)
    } finally {
      await bound.close(0)
      await demo.stop()
    }
  }, 120_000)

  it('explains that it needs a key', async () => {
    const { exit, lines } = await runAgent(['http://127.0.0.1:1'])
    expect([exit, lines]).toEqual([2, [expect.stringContaining('A key is needed')]])
  })

  it('refuses a flag that it does not have', async () => {
    const { exit, lines } = await runAgent(['http://127.0.0.1:1', '--looks', '3'])
    expect(exit).toBe(2)
    expect(lines[0]).toContain("'--looks'")
    expect(lines[1]).toContain('Usage: node replay-agent.mjs [ADDRESS] [--key K]')
  })
})
