import { expect, test } from './fixtures/app.ts'
import { FIRST_CONTEXT, openTerminal, paneOf, run, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

test('a pair is found and compared by keyboard, with both rules side by side [terminal.context.pairs]', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  await run(page, 'XVP in new')
  const pairs = paneOf(page, 'Cross-venue pairs')
  await expect(pairs.getByRole('gridcell').first()).toBeVisible(FIRST_CONTEXT)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const pair = paneOf(page, 'Cross-venue')
  await expect(pair.getByRole('region', { name: 'Kalshi' })).toContainText('Rules', FIRST_CONTEXT)
  await expect(pair.getByRole('region', { name: 'Polymarket' })).toContainText('Rules')
  await expect(pair.getByText(/^match confidence/)).toBeVisible()
  await page.keyboard.press('i')
  await expect(page.getByRole('heading', { name: 'Cross-venue pair' })).toBeVisible()
})

test('a curve and a scorecard are shown as plot and as table [terminal.context.curves] [terminal.context.calibration]', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  await run(page, 'YC in new')
  const curves = paneOf(page, 'Yield curves')
  await expect(curves.getByRole('gridcell').first()).toBeVisible(FIRST_CONTEXT)
  await page.keyboard.press('j')
  await expect(curves.getByRole('img')).toBeVisible()
  const points = curves.getByRole('table', { name: 'Points of the curve' })
  expect(await points.getByRole('row').count()).toBeGreaterThan(2)
  await run(page, 'CALIB all in new')
  const card = paneOf(page, 'Calibration')
  const buckets = card.getByRole('table', { name: 'Price buckets' })
  await expect(buckets.getByRole('row')).toHaveCount(11, FIRST_CONTEXT)
  await expect(card.getByRole('img', { name: /settled markets, Brier/ })).toBeVisible()
})

test('a question is answered, and a cited market opens with one key [terminal.context.ask]', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  await run(page, '? will the fed cut rates in new')
  const answer = paneOf(page, /^Answer/)
  const cited = answer.getByRole('region', { name: 'Cited markets' })
  await expect(cited.getByRole('button').first()).toBeVisible(FIRST_CONTEXT)
  const ticker = await cited.getByRole('button').first().getAttribute('title')
  await page.keyboard.press('1')
  await expect(paneOf(page, /^Details/)).toContainText(ticker ?? 'no ticker')
})
