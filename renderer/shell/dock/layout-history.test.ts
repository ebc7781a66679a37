import { describe, expect, it } from 'vitest'
import { LayoutHistory } from './layout-history.ts'

/** Snapshots are "panes|active pane" here. */
const history = () => new LayoutHistory((snapshot) => snapshot.split('|')[0] ?? '')

describe('layout history', () => {
  it('moves back and forward by one change at a time', () => {
    const steps = history()
    for (const snapshot of ['a|a', 'a b|b', 'a|a']) steps.record(snapshot)
    expect(steps.undo()).toBe('a b|b')
    expect(steps.undo()).toBe('a|a')
    expect(steps.undo()).toBeNull()
    expect(steps.redo()).toBe('a b|b')
    expect(steps.redo()).toBe('a|a')
    expect(steps.redo()).toBeNull()
  })

  it('does not record a change of the active pane, and returns to the last one', () => {
    const steps = history()
    for (const snapshot of ['a b|a', 'a b|b', 'a|a']) steps.record(snapshot)
    expect(steps.undo()).toBe('a b|b')
    expect(steps.undo()).toBeNull()
  })

  it('keeps undone changes while only the active pane changes', () => {
    const steps = history()
    for (const snapshot of ['a|a', 'a b|b']) steps.record(snapshot)
    steps.undo()
    steps.record('a|none')
    expect(steps.redo()).toBe('a b|b')
  })

  it('drops undone changes at the next change', () => {
    const steps = history()
    for (const snapshot of ['a|a', 'a b|b']) steps.record(snapshot)
    steps.undo()
    steps.record('a c|c')
    expect(steps.redo()).toBeNull()
    expect(steps.undo()).toBe('a|a')
  })

  it('treats a state that was restored slightly differently as the same step', () => {
    const steps = history()
    for (const snapshot of ['a 50|a', 'a 40 b 60|b']) steps.record(snapshot)
    steps.undo()
    steps.settle('a 51|a')
    steps.record('a 51|a')
    expect(steps.redo()).toBe('a 40 b 60|b')
    expect(steps.undo()).toBe('a 51|a')
  })

  it('keeps the last fifty changes [terminal.window.undo]', () => {
    const steps = history()
    for (let count = 0; count < 60; count += 1) steps.record(`${count}|`)
    let undone = 0
    while (steps.undo() !== null) undone += 1
    expect(undone).toBe(50)
  })

  it('has nothing to undo or redo at first, and records the same state once', () => {
    const steps = history()
    expect([steps.undo(), steps.redo()]).toEqual([null, null])
    for (const snapshot of ['a|a', 'b|b', 'b|b']) steps.record(snapshot)
    expect([steps.undo(), steps.undo()]).toEqual(['a|a', null])
  })
})
