import { expect, it } from 'vitest'
import { dockStyles } from './dock-styles.ts'

it('keeps the structure of the dock and leaves out themes and unused parts', () => {
  const styles = dockStyles()
  for (const used of ['.dv-groupview {', '.dv-sash', '.dv-tab {', '.dv-resize-handle-top']) {
    expect(styles).toContain(used)
  }
  expect(styles).not.toMatch(/dockview-theme|dv-context-menu|dv-pane-container/)
  expect(styles.length).toBeLessThan(25_000)
})
