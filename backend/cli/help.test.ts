import { describe, expect, it } from 'vitest'
import { commandLine } from '../testing/command-line.ts'
import { commandOf, COMMANDS } from './commands.ts'
import { GLOBAL_FLAGS } from './flags.ts'

const line = commandLine()

describe('help', () => {
  // [client.cli.help]
  it('lists every command in its group', async () => {
    const { exit, out } = await line.run(['--help'])
    expect(exit).toBe(0)
    for (const { name, summary } of COMMANDS)
      expect(out).toContain(`  ${name.padEnd(14)}${summary}\n`)
    expect(out).toMatch(/^The world:$/m)
  })

  it.each(COMMANDS.filter(({ name }) => name !== 'serve').map(({ name }) => [name]))(
    'lists the arguments of %s',
    async (name) => {
      const { exit, out } = await line.run([name, '--help'])
      expect([exit, out.startsWith(`Usage: augury ${name}`)]).toEqual([0, true])
      for (const flag of Object.keys(commandOf(name)?.flags ?? {}))
        expect(out).toContain(`--${flag}`)
    },
  )

  it('has unique commands, and no flag that shadows a global one', () => {
    const names = COMMANDS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { flags } of COMMANDS) {
      expect(Object.keys(flags).filter((flag) => flag in GLOBAL_FLAGS)).toEqual([])
    }
  })
})
