import '../../testing/set-up-page.ts'
import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Provider } from '../../../backend/contract/operations.ts'
import { pageUnderTest, refused, type Writes } from '../../testing/page-under-test.ts'
import ModelForm from './ModelForm.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

const NONE: Provider = {
  name: 'llm',
  configured: false,
  source: null,
  url: null,
  hasKey: false,
  models: null,
}
const STORED: Provider = {
  name: 'llm',
  configured: true,
  source: 'stored',
  url: 'https://models.example/v1',
  hasKey: true,
  models: { cheap: 'small' },
}
const PATH = '/api/admin/providers/llm'

function formOf(provider: Provider, writes: Writes) {
  const page = pageUnderTest(() => null, writes)
  render(ModelForm, { terminal: page.terminal, pane: page.paneOf('SET sources'), provider })
  return page
}
const type = (label: RegExp, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } })
const settle = () => vi.advanceTimersByTimeAsync(10)

// [terminal.access.providers]
it('sends the input once, and stores the key nowhere', async () => {
  const { sent, terminal, stop } = formOf(NONE, () => ({ ok: true, body: STORED }))
  expect(document.body.textContent).toContain('written by rules from the same facts')
  await type(/Endpoint URL/, ' https://models.example/v1 ')
  await type(/API key/, 'sk-1')
  await type(/short texts/, 'small')
  await fireEvent.submit(screen.getByRole('form'))
  await settle()
  expect(sent).toEqual([
    {
      method: 'PUT',
      path: PATH,
      body: {
        url: 'https://models.example/v1',
        key: 'sk-1',
        models: { cheap: 'small', medium: '', heavy: '' },
      },
    },
  ])
  expect(terminal.notice?.text).toContain('Language model saved')
  expect(screen.getByLabelText<HTMLInputElement>(/API key/).value).toBe('')
  stop()
})

// [terminal.access.providers]
it.each([
  ['url must be an http or https address', /Endpoint URL/],
  ['key must be 1 to 4096 visible ASCII characters, or absent', /API key/],
  ['models.cheap is required', /short texts/],
  ['models.heavy must be a name of 1 to 200 characters', /hard questions/],
])('shows %s at its field, and keeps the input', async (message, label) => {
  const { stop } = formOf(NONE, () => refused(400, 'VALIDATION_ERROR', message))
  await type(/Endpoint URL/, 'nowhere')
  await fireEvent.submit(screen.getByRole('form'))
  await settle()
  const field = screen.getByLabelText<HTMLInputElement>(label)
  expect(field.getAttribute('aria-invalid')).toBe('true')
  const description = document.getElementById(field.getAttribute('aria-describedby') ?? '')
  expect(description?.textContent.toLowerCase()).toContain(message.slice(0, 20).toLowerCase())
  expect(document.activeElement).toBe(field)
  expect(screen.getByLabelText<HTMLInputElement>(/Endpoint URL/).value).toBe('nowhere')
  stop()
})

// [terminal.access.providers]
it('removes a stored model after a confirmation, and never one of the environment', async () => {
  const { sent, stop } = formOf(STORED, () => ({ ok: true, body: NONE }))
  await fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect(sent).toEqual([])
  await fireEvent.click(screen.getByRole('button', { name: 'Remove model' }))
  await settle()
  expect(sent).toEqual([{ method: 'DELETE', path: PATH, body: undefined }])
  stop()
})

// [terminal.access.providers]
it('sends prices of models, and refuses another form at its field', async () => {
  const { sent, stop } = formOf(NONE, () => ({ ok: true, body: STORED }))
  await type(/Endpoint URL/, 'https://models.example/v1')
  await type(/short texts/, 'small')
  await type(/Price of the first/, '0.8/4')
  await type(/Price of the third/, 'cheap')
  await fireEvent.submit(screen.getByRole('form'))
  await settle()
  expect(sent).toEqual([])
  const field = screen.getByLabelText<HTMLInputElement>(/Price of the third/)
  expect([field.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', field])
  expect(screen.getByRole('alert').textContent).toContain('such as 0.8/4')
  await type(/Price of the third/, '3/15')
  await fireEvent.submit(screen.getByRole('form'))
  await settle()
  expect(sent[0]?.body).toMatchObject({
    prices: { cheap: { input: 0.8, output: 4 }, heavy: { input: 3, output: 15 } },
  })
  stop()
})

it('shows that the environment takes precedence', () => {
  const { stop } = formOf({ ...STORED, source: 'environment' }, () => refused(500, null, ''))
  expect(document.body.textContent).toContain('by the environment, which takes precedence')
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull()
  stop()
})
