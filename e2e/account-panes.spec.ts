import { createHmac, generateKeyPairSync } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test, type RunningApp } from './fixtures/app.ts'
import { startReceivers, type ReceivedRequest } from './fixtures/receivers.ts'
import { openSignedIn } from './fixtures/sign-in.ts'
import { FIRST_CONTEXT, openWorkspace, paneOf, run, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

const DEMO = ['--source', 'demo', '--seed', '7', '--demo-markets', '200']

/** An open market of the demo with both prices; null while there is none yet. */
async function quotedTicker(page: Page, { url }: RunningApp): Promise<string | null> {
  const answer = await page.request.get(`${url}/api/public/markets?limit=50&status=active`)
  const { markets = [] } = (await answer.json()) as {
    markets?: { ticker: string; bestBid: number | null; bestAsk: number | null }[]
  }
  const isQuoted = (one: (typeof markets)[number]) =>
    one.bestBid !== null && one.bestBid > 5 && one.bestAsk !== null
  return markets.find(isQuoted)?.ticker ?? null
}

/** Whether a webhook has the signature of its secret. */
function isSigned({ headers, body }: ReceivedRequest, secret: string): boolean {
  const [time, signature] = String(headers['x-svc-signature']).split(',')
  const signed = `${time?.slice(2)}.${body}`
  return signature === `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`
}

test('an alert reaches the desktop, a webhook, a mailbox and a chat, and its delivery is replayed [terminal.webhooks.tour]', async ({
  services,
  page,
}) => {
  const receivers = await startReceivers(services.dataDir)
  try {
    const env = { ...receivers.env, AUGURY_FAIR_USE: 'off' }
    const app = await services.start([...DEMO, '--webhook-allow-loopback'], env)
    await openSignedIn(page, app)
    await expect.poll(() => quotedTicker(page, app), FIRST_CONTEXT).not.toBeNull()
    const ticker = (await quotedTicker(page, app)) ?? ''

    await openWorkspace(page, 1)
    await run(page, 'HOOK')
    const hook = paneOf(page, 'Webhooks')
    await expect(hook.getByText(/No endpoints/)).toBeVisible()
    await page.keyboard.press('n')
    await expect(hook.getByRole('form', { name: 'New endpoint' })).toBeVisible()
    await page.keyboard.type(receivers.hookUrl)
    await page.keyboard.press('Enter')
    const secret = (await hook.getByText(/^whsec_/).textContent())?.trim() ?? ''
    await hook.getByRole('button', { name: /stored/i }).click()

    const rule = { ticker, condition: 'price_above', threshold: 1, windowSeconds: 60 }
    const headers = { origin: new URL(app.url).origin }
    for (const channel of [
      { channel: 'email', target: 'ann@example.com' },
      { channel: 'telegram', target: '-100200' },
    ]) {
      const data = { ...rule, ...channel }
      const made = await page.request.post(`${app.url}/api/alert-rules`, { headers, data })
      expect(made.status(), await made.text()).toBe(201)
    }
    await run(page, `${ticker} ALERT 2 above`)
    await expect(page.getByText(/^Alert: .*at or above 2¢/).first()).toBeVisible({
      timeout: 30_000,
    })
    await expect.poll(() => receivers.mails.length, { timeout: 30_000 }).toBe(1)
    expect(receivers.mails[0]).toContain('ann@example.com')
    await expect.poll(() => receivers.botMessages.length, { timeout: 30_000 }).toBe(1)
    expect(JSON.parse(receivers.botMessages[0]?.body ?? '')).toMatchObject({ chat_id: '-100200' })
    // The endpoint subscribes to all events: one of each of the three rules.
    await expect.poll(() => receivers.hooks.length, { timeout: 30_000 }).toBe(3)
    for (const one of receivers.hooks) {
      expect(one.headers['x-svc-event']).toBe('alert.fired')
      expect(isSigned(one, secret)).toBe(true)
    }

    await run(page, 'HOOK')
    await hook.getByRole('grid', { name: 'Webhook endpoints' }).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await expect(hook.getByRole('gridcell', { name: 'delivered' }).first()).toBeVisible()
    await hook.getByRole('grid').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('y')
    await expect.poll(() => receivers.hooks.length, { timeout: 30_000 }).toBe(4)
    const [first, again] = [receivers.hooks[2], receivers.hooks[3]]
    expect(again?.headers['x-svc-delivery-id']).toBe(first?.headers['x-svc-delivery-id'])
    expect(again?.body).toBe(first?.body)
    expect(again !== undefined && isSigned(again, secret)).toBe(true)
  } finally {
    await receivers.close()
  }
})

test('a credential is encrypted in the page, and pulls the account [terminal.portfolio.secret-tour]', async ({
  services,
  page,
}) => {
  const app = await services.start(DEMO, { AUGURY_FAIR_USE: 'off' })
  const sent: string[] = []
  page.on('request', (request) => {
    sent.push(`${request.url()} ${request.postData() ?? ''}`)
  })
  await openSignedIn(page, app)
  await expect.poll(() => quotedTicker(page, app), FIRST_CONTEXT).not.toBeNull()
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

  await openWorkspace(page, 6)
  await run(page, 'SECRET')
  const pane = paneOf(page, /^Credentials|^Secret/)
  const kalshi = pane.getByRole('region', { name: 'Kalshi' })
  await kalshi.getByRole('button', { name: 'Add' }).click()
  await kalshi.getByRole('textbox').first().fill('a952bcbe-ec3b-4b5b-b8f9-11dae589608c')
  await kalshi.getByRole('textbox').nth(1).fill(pem)
  await kalshi.getByRole('button', { name: 'Store' }).click()
  await expect(pane.getByRole('alertdialog')).toContainText('sends only the result')
  await page.keyboard.type('send')
  await page.keyboard.press('Enter')
  await expect(kalshi.getByText(/^Stored /)).toBeVisible()
  const upload = sent.find((one) => one.includes('"envelope"'))
  expect(upload).toBeDefined()
  const lines = pem.split('\n').filter((line) => line.length > 40)
  for (const one of sent) {
    expect(one).not.toContain('PRIVATE KEY')
    for (const line of lines) expect(one).not.toContain(line)
  }
  await expect(page.locator('body')).not.toContainText('PRIVATE KEY')

  await run(page, 'LEDG')
  const ledger = paneOf(page, 'Ledger')
  await ledger.getByRole('button', { name: 'Read Kalshi account' }).click()
  const strip = ledger.getByRole('alertdialog')
  await expect(strip).toContainText('Nothing is stored yet')
  await page.keyboard.press('Enter')
  await expect(ledger.getByRole('row').nth(1)).toContainText(/fill: buy|settlement:/)
})
