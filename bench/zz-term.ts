import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { findBrowser } from '../scripts/browsers.mjs'
import { backfilled, startService } from './service.ts'
import { SETTINGS, twelvePanes, WINDOW } from './terminal-layout.ts'
import { PROBES, smoothness, there } from './terminal-probes.ts'
import { startRelay } from './terminal-relay.ts'
const folder = mkdtempSync(join(tmpdir(), 'augury-bench-terminal-'))
const service = await startService(['--source', 'demo', '--seed', '7', '--demo-markets', '600', '--data', folder])
const relay = await startRelay(service.url)
const browser = await chromium.launch({ executablePath: findBrowser(process.platform, process.env)!, args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'] })
try {
  await backfilled(folder)
  const { secret } = JSON.parse(readFileSync(join(folder, 'run', 'launch.json'), 'utf8'))
  const answer = await fetch(`${service.url}/api/auth/local`, { method: 'POST', headers: { authorization: `Launch ${secret}` } })
  const { ticket } = await answer.json() as { ticket: string }
  const context = await browser.newContext({ viewport: WINDOW, bypassCSP: true })
  const kept = { 'augury.layout': twelvePanes(), 'augury.settings': SETTINGS, 'augury.welcome': JSON.stringify({ version: 1, closed: true }) }
  await context.addInitScript(`for (const [name, value] of ${JSON.stringify(Object.entries(kept))}) localStorage.getItem(name) ?? localStorage.setItem(name, value)`)
  await context.addInitScript({ path: PROBES })
  const page = await context.newPage()
  await page.goto(`${relay.url}/#ticket=${ticket}`, { waitUntil: 'load' })
  await page.locator('[role="gridcell"]').first().waitFor({ timeout: 120000 })
  await there(page, '.chart canvas', 4)
  await page.locator('[data-link="live"]').waitFor()
  await pause(6000)
  relay.tick(200)
  await pause(3000)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable')
  const metrics = async () => Object.fromEntries((await cdp.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]))
  console.log(JSON.stringify(await page.evaluate(() => ({ all: document.querySelectorAll('*').length }))))
  const b = await browser.newBrowserCDPSession()
  const variants = JSON.parse(readFileSync('/tmp/p99/variants.json', 'utf8')) as Record<string, string>
  for (const [name, css] of Object.entries(variants)) {
    const tag = await page.addStyleTag({ content: css })
    await pause(1500)
    const events: any[] = []
    const hear = ({ value }: any) => events.push(...value)
    b.on('Tracing.dataCollected', hear)
    const done = new Promise<void>(r => b.once('Tracing.tracingComplete', () => r()))
    await b.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline', 'benchmark'], excludedCategories: ['*'] } } as never)
    const before = await metrics()
    const s = await smoothness(page, 4000)
    const after = await metrics()
    await b.send('Tracing.end'); await done
    b.off('Tracing.dataCollected', hear)
    const sums: Record<string, [number, number]> = {}
    for (const e of events) if (e.ph === 'X' && e.tdur) { const q = sums[e.name] ??= [0, 0]; q[0] += e.tdur / 1000; q[1] += 1 }
    const frames = s.fps * 4
    const line = ['UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'Commit', 'FunctionCall', 'FireAnimationFrame', 'TimerFire', 'RasterTask'].map(n => `${n} ${((sums[n]?.[0] ?? 0) / frames).toFixed(1)}`).join('  ')
    console.log(name.padEnd(30), line)
    const d = (k: string) => ((after[k]! - before[k]!) * 1000).toFixed(0)
    console.log(name.padEnd(30), 'fps', s.fps.toFixed(1), 'p95', s.p95.toFixed(0), 'long', s.longestTask, 'script', d('ScriptDuration'), 'style', d('RecalcStyleDuration'), 'layout', d('LayoutDuration'), 'task', d('TaskDuration'), 'layouts', after['LayoutCount']! - before['LayoutCount']!)
    await tag.evaluate((e: any) => e.remove())
  }
  await page.screenshot({ path: '/tmp/p99/term.png' })
} finally { await browser.close(); await relay.close(); await service.stop() }
