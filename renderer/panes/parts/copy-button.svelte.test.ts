import '../../testing/set-up-page.ts'
import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, expect, it, vi } from 'vitest'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import CopyButton from './CopyButton.svelte'
import { waitUntil } from '../../testing/wait-until.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

async function copy(writeText: (text: string) => Promise<void>) {
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  const showNotice = vi.fn()
  const terminal = { showNotice } as unknown as Terminal
  render(CopyButton, { terminal, text: 'svc_1', noun: 'the key' })
  await fireEvent.click(screen.getByRole('button', { name: 'Copy the key' }))
  await waitUntil(() => expect(showNotice).toHaveBeenCalled())
  return { messages: showNotice.mock.calls, label: screen.getByRole('button').textContent }
}

it('copies the text and confirms it', async () => {
  const written: string[] = []
  const { messages, label } = await copy((text) => Promise.resolve(void written.push(text)))
  expect(written).toEqual(['svc_1'])
  expect([messages, label]).toEqual([[['Copied the key']], 'Copied'])
})

it('explains what to do when the browser denies access to the clipboard', async () => {
  const { messages, label } = await copy(() => Promise.reject(new Error('denied')))
  const message = 'The browser denied clipboard access. Select the key and copy it'
  expect([messages, label]).toEqual([[[message, 'error']], 'Copy'])
})
