import type { Locator, Page } from '@playwright/test'
import { defaultFindings } from './fixtures/accessibility.ts'
import { expect, test, type RunningApp } from './fixtures/app.ts'
import { stickingOut } from './fixtures/geometry.ts'
import { startModelServer } from './fixtures/model-server.ts'
import { asPage } from './fixtures/panels.ts'
import { openSignedIn } from './fixtures/sign-in.ts'
import {
  FIRST_CONTEXT,
  openWorkspace,
  paneOf,
  runFromField as run,
  WITH_CONTEXT,
} from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

const DAY_MS = 86_400_000

/**
 * A question of a market of the demo, which a thesis can claim. The farther its price is from 50¢, the
 * larger is the edge that the rules give, so that it remains while the price moves.
 */
async function someQuestion(page: Page, { url }: RunningApp): Promise<string> {
  const answer = await page.request.get(`${url}/api/public/markets?limit=200`)
  const { markets } = (await answer.json()) as {
    markets: { title: string; price: number | null }[]
  }
  const distanceOf = ({ price }: { price: number | null }) => Math.abs((price ?? 50) - 50)
  const [farthest] = markets
    .filter((market) => /^Will .* by .*\?$/.test(market.title) && distanceOf(market) > 20)
    .filter((market) => distanceOf(market) < 44)
    .sort((left, right) => distanceOf(right) - distanceOf(left))
  return farthest?.title ?? ''
}

/**
 * A question that still can be claimed and had a price 60 days ago, or as long ago as one had on the day
 * of the test; the history of the demo begins 90 days ago.
 */
async function oldQuestion(page: Page, { url }: RunningApp) {
  for (const days of [60, 45, 30, 14, 7]) {
    const asOf = new Date(Date.now() - days * DAY_MS).toISOString()
    const answer = await page.request.get(`${url}/api/public/markets?limit=200&asOf=${asOf}`)
    const { markets } = (await answer.json()) as {
      markets: { title: string; price: number | null; closeTime: string }[]
    }
    const [first] = markets
      .filter(({ title }) => /^Will .* by .*\?$/.test(title))
      .filter(({ price }) => price !== null && price > 8 && price < 30)
      .filter(({ closeTime }) => Date.parse(closeTime) > Date.now() + 2 * DAY_MS)
    if (first !== undefined) return { question: first.title.replace(/\?$/, ''), days }
  }
  return null
}

async function createThesis(page: Page, claim: string): Promise<Locator> {
  await openWorkspace(page, 5)
  const field = page.getByLabel(/^Claim/)
  await field.fill(claim)
  await expect(page.getByText('A testable claim')).toBeVisible()
  await field.focus()
  await page.keyboard.press('Control+Enter')
  const pane = paneOf(
    page,
    /^Theses · (tree|graph|edges|strategies|history|signals|publication|heartbeat)/,
  )
  // The pane may still show the thesis of an earlier test.
  await expect(pane.getByRole('strong').first()).toContainText(claim.slice(-30, -1))
  await expect(pane.getByRole('slider').first()).toBeVisible()
  return pane
}

test('a thesis is formed without key and model, edited, published and read by everybody [theses.terminal.done]', async ({
  app,
  page,
  browser,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openSignedIn(page, app)
  let question = ''
  await expect
    .poll(
      async () => (question = (await someQuestion(page, app)).replace(/\?$/, '')),
      FIRST_CONTEXT,
    )
    .not.toBe('')
  const pane = await createThesis(page, `${question} because <b>demand</b> will rise by 5%?`)

  // By keyboard: the first slider, five points up, then the edges under the edit.
  const slider = pane.getByRole('slider').first()
  const before = Number(await slider.inputValue())
  const confidence = await pane.locator('[data-confidence]').textContent()
  await slider.focus()
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight')
  await expect(slider).toHaveValue(String(Math.round(before) + 5))
  await expect(pane.locator('[data-projected]')).toBeVisible()
  await page.keyboard.press('3')
  await expect(pane.getByRole('columnheader', { name: 'If' })).toBeVisible()
  await expect(pane.getByRole('row').nth(1)).toContainText('¢')
  await page.keyboard.press('Control+Enter')
  await expect(pane.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await expect(pane.locator('[data-confidence]')).not.toHaveText(confidence ?? '')
  await run(page, 'EVAL')
  await expect(pane.getByRole('alertdialog')).toContainText('Evaluate')
  await page.keyboard.press('Enter')
  await expect(pane.getByRole('alertdialog')).toHaveCount(0)
  await run(page, 'THES latest history')
  await expect(pane.getByText('your edit')).toBeVisible()

  await run(page, 'PUB')
  await pane.getByLabel(/^Address/).fill('e2e-thesis')
  await page.keyboard.press('Enter')
  const link = pane.getByRole('link', { name: '/thesis/e2e-thesis' })
  await expect(link).toBeVisible()
  // Somebody without an account, and without scripts.
  const context = await browser.newContext({ javaScriptEnabled: false })
  const reader = await context.newPage()
  await reader.goto(`${app.url}/thesis/e2e-thesis`)
  await expect(reader.getByRole('heading', { level: 1 })).toContainText(question.slice(0, 40))
  await expect(reader.getByText('<b>demand</b> will rise').first()).toBeVisible()
  await expect(reader.getByRole('heading', { name: 'Conditions' })).toBeVisible()
  await context.close()
  // A second account copies it.
  const other = await browser.newContext()
  const second = await other.newPage()
  await second.goto(app.url)
  await asPage(second, 'POST', '/api/signup', {
    email: 'fork@example.test',
    password: 'correct horse battery',
    name: 'Fork',
  })
  const copy = (await asPage(second, 'POST', '/api/thesis/e2e-thesis/fork', {})) as { id: string }
  const listed = (await asPage(second, 'GET', '/api/thesis')) as {
    data: { id: string; title: string }[]
  }
  expect(listed.data.map(({ id }) => id)).toEqual([copy.id])
  expect(listed.data[0]?.title).toMatch(/\(fork\)$/)
  await other.close()
  await run(page, 'UNPUB')
  await expect(pane.getByRole('alertdialog')).toContainText('private')
  await page.keyboard.press('Enter')
  await expect(link).toHaveCount(0)
  expect((await page.request.get(`${app.url}/thesis/e2e-thesis`)).status()).toBe(404)
})

test('a thesis is replayed from the past, and its heartbeat shows cost and switches [theses.terminal.backtest]', async ({
  app,
  page,
}, info) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openSignedIn(page, app)
  await expect.poll(() => oldQuestion(page, app), FIRST_CONTEXT).not.toBeNull()
  const { question, days } = (await oldQuestion(page, app)) ?? { question: '', days: 0 }
  const pane = await createThesis(page, `${question} because prices will rise`)
  await run(page, 'THES latest heartbeat')
  const heartbeat = pane.getByRole('region', { name: 'Heartbeat' })
  await expect(heartbeat).toContainText('No source of news is connected')
  const buys = heartbeat.getByRole('checkbox', { name: 'Buy at entries' })
  await expect(buys).not.toBeChecked()
  await buys.click()
  await expect(page.getByText('Heartbeat buys for strategies turned on')).toBeVisible()
  await expect(buys).toBeChecked()
  await page.screenshot({ path: info.outputPath('heartbeat-1440.png') })
  const { data } = (await asPage(page, 'GET', '/api/thesis')) as { data: { id: string }[] }
  await run(page, `BT thesis ${data[0]?.id ?? ''} ${days}d`)
  const report = page.getByRole('region', { name: 'Backtest of a thesis' })
  await expect(report).toContainText('from the data known then', FIRST_CONTEXT)
  await expect(report).toContainText(question)
  // The market of the claim was bound by what was known then, and moved the thesis since.
  await expect(report.getByRole('listitem').filter({ hasText: 'against market' })).not.toHaveCount(
    0,
  )
  await expect(report.getByText('Market of the claim')).toBeVisible()
  await expect(report.getByText('Brier of the market')).toBeVisible()
  await expect(report.getByRole('img')).toHaveAccessibleName(/evaluations; confidence from/)
  expect(await stickingOut(page)).toEqual([])
  await page.screenshot({ path: info.outputPath('backtest-1440.png') })
  await page.setViewportSize({ width: 1280, height: 800 })
  // The panes follow the size of the window in the next frames.
  await expect.poll(() => stickingOut(page)).toEqual([])
  await page.screenshot({ path: info.outputPath('backtest-1280.png') })
  await run(page, 'THES latest heartbeat')
  await expect(heartbeat).toBeVisible()
  await page.screenshot({ path: info.outputPath('heartbeat-1280.png') })
})

const HOSTILE = `\u202EThe Fed\u202C will ${'W'.repeat(300)} <img src=x onerror="x()"> cut rates by 2027`

test('sections of a thesis have no violation, also with hostile texts and at 320 px [theses.terminal.sections]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  const pane = await createThesis(page, `${HOSTILE} because inflation will fall by 1%`)
  await run(page, 'THES latest tree')
  await pane.getByRole('slider').first().focus()
  await page.keyboard.press('Enter')
  await expect(pane.getByLabel('Weight, %')).toBeVisible()
  const check = async (name: string) => {
    for (const theme of ['dark', 'light']) {
      await run(page, `TH ${theme}`)
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
      expect(await defaultFindings(page, '.dv-active-group'), `${name} ${theme}`).toEqual([])
    }
    expect(await stickingOut(page), name).toEqual([])
  }
  const parts = [
    'tree',
    'graph',
    'edges',
    'strategies',
    'history',
    'signals',
    'publication',
    'heartbeat',
  ]
  for (const part of parts) {
    await run(page, `THES latest ${part}`)
    await expect(pane.getByRole('button', { name: part, exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await check(part)
  }
  await run(page, 'THES')
  await check('list')
  await run(page, 'THES new')
  await check('form')
  await page.setViewportSize({ width: 320, height: 640 })
  await expect(page.locator('html')).toHaveAttribute('data-column')
  for (const part of parts) {
    await run(page, `THES latest ${part}`)
    expect(await stickingOut(page), `${part} at 320 px`).toEqual([])
  }
})

test('a thesis is formed and augmented by a language model, and its corrections can be read [theses.terminal.model]', async ({
  app,
  page,
}) => {
  const model = await startModelServer((text) => {
    const tickers = [...text.matchAll(/^(\S+): .*, YES /gm)].map(([, ticker]) => ticker)
    const condition = (key: string, parent: string | null, label: string) => ({
      key,
      parent,
      label,
      probability: 0.7,
      importance: 1,
      rationale: 'It follows from the rules of the market.',
      markets: [tickers[0], 'KXMADEUP'],
      killCondition: null,
    })
    const added = { ...condition('c', 'n1', 'A third party confirms it'), key: undefined }
    if (text.includes('<targets>')) return { nodes: [added] }
    return {
      summary: 'Two conditions decide it.',
      nodes: [
        condition('a', null, 'The deadline is kept'),
        condition('b', 'a', 'Nobody objects in time'),
        condition('d', null, 'Nothing unexpected happens'),
      ],
    }
  })
  await openSignedIn(page, app)
  await run(page, 'SET sources')
  const form = page.getByRole('form', { name: 'Language model' })
  await form.getByLabel(/^Endpoint URL/).fill(model.url)
  await form.getByLabel('Model for short texts').fill('scripted')
  await form.getByRole('button', { name: 'Use this model' }).click()
  await expect(page.getByText(`scripted at ${model.url}`)).toBeVisible()

  let question = ''
  await expect
    .poll(
      async () => (question = (await someQuestion(page, app)).replace(/\?$/, '')),
      FIRST_CONTEXT,
    )
    .not.toBe('')
  const pane = await createThesis(page, `${question} because everybody will wait?`)
  await expect(pane.getByText('formed by a model')).toBeVisible()
  await expect(pane.getByText('The deadline is kept').first()).toBeVisible()
  await expect(pane.getByText('Nobody objects in time').first()).toBeVisible()

  await run(page, 'THES latest history')
  await expect(pane.getByText('scripted, $0.01')).toBeVisible()
  await pane.getByText('Model response and corrections').click()
  await expect(pane.getByText('n1: market KXMADEUP is unknown')).toBeVisible()
  expect(await stickingOut(page)).toEqual([])

  await run(page, 'SET sources')
  await form.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove model' }).click()
  await expect(page.getByText('No language model: texts are generated by rules')).toBeVisible()
  await model.close()
})
