import '../../testing/set-up-page.ts'
import { tick } from 'svelte'
import { beforeEach, expect, it } from 'vitest'
import { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import { movePaneFocus } from './move-pane-focus.ts'

const command = { verb: 'INTENT', subject: null, args: {}, filters: [], flags: [], sink: null }

function setUp(content: string) {
  document.body.innerHTML = content
  const pane = new Pane('p1', command as unknown as Pane['command'], 'A')
  const move = async () => {
    movePaneFocus({ focusedPane: 'p1' } as unknown as Terminal, pane, () => document.body)
    await tick()
    await tick()
    return document.activeElement?.tagName
  }
  return { pane, move }
}

beforeEach(() => document.body.replaceChildren())

it('moves to the field of a form that a command opened', async () => {
  expect(await setUp('<input data-focus>').move()).toBe('INPUT')
})

it('leaves the keys to commands when a stored layout opened the form', async () => {
  const { pane, move } = setUp('<input data-focus>')
  pane.isRestored = true
  expect(await move()).toBe('BODY')
})

it('moves to the rows of a stored layout', async () => {
  const { pane, move } = setUp('<div data-focus tabindex="0"></div>')
  pane.isRestored = true
  expect(await move()).toBe('DIV')
})
