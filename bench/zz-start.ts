import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findBrowser } from '../scripts/browsers.mjs'
import { backfilled, startService } from './service.ts'
import { WINDOW } from './terminal-layout.ts'
import { PROBES, startsOf } from './terminal-probes.ts'
const folder = mkdtempSync(join(tmpdir(), 'augury-bench-terminal-'))
const service = await startService(['--source', 'demo', '--seed', '7', '--demo-markets', '600', '--data', folder])
const browser = await chromium.launch({ executablePath: findBrowser(process.platform, process.env)!, args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'] })
try {
  await backfilled(folder)
  for (let i = 0; i < 6; i++) {
    const context = await browser.newContext({ viewport: WINDOW })
    await context.addInitScript(`globalThis.triesBar = true`)
    await context.addInitScript({ path: PROBES })
    const page = await context.newPage()
    await page.goto(service.url, { waitUntil: 'load' })
    const s = await startsOf(page)
    const e = await page.evaluate(() => { const n = performance.getEntriesByType('navigation')[0] as any; return { nav: [n.requestStart, n.responseStart, n.responseEnd, n.domInteractive, n.domContentLoadedEventEnd, n.loadEventEnd].map((x: number) => Math.round(x)), res: performance.getEntriesByType('resource').map((r: any) => `${r.name.replace(/.*\//, '').slice(0, 40)} ${Math.round(r.startTime)}-${Math.round(r.responseEnd)}`).slice(0, 30), paint: performance.getEntriesByType('paint').map(p => p.name + ' ' + Math.round(p.startTime)), marks: performance.getEntriesByType('mark').map(p => p.name + ' ' + Math.round(p.startTime)) } })
    console.log(JSON.stringify(s), JSON.stringify(e.nav), e.paint.join(), e.marks.join())
    if (i === 4) console.log(e.res.join('\n'))
    await context.close()
  }
} finally { await browser.close(); await service.stop() }
