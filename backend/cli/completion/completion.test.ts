import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../commands.ts'
import { GLOBAL_FLAGS } from '../flags.ts'
import { commandLine } from '../../testing/command-line.ts'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { zshScript } from './zsh.ts'

const BASH = bashScript(COMMANDS)

/** The completions of bash for the last word. */
function offered(...words: string[]): string[] {
  const program = `${BASH}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _augury; printf '%s\\n' "\${COMPREPLY[@]}"`
  const args = ['--norc', '-c', program, 'bash', 'augury', ...words]
  return execFileSync('bash', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
}

describe('augury completion bash', () => {
  // [client.cli.completion]
  it.each([
    [['mark'], ['markets', 'market']],
    [['comp'], ['completion']],
    [['--quiet', 'logi'], ['login']],
    [['--api-url', 'http://x', 'who'], ['whoami']],
    [['markets', '--ven'], ['--venue']],
    [
      ['markets', '--venue', ''],
      ['kalshi', 'polymarket'],
    ],
    [['markets', '--q', ''], []],
    [
      ['candles', 'KX', '--tf', '1'],
      ['1m', '15m', '1h', '1d'],
    ],
    [['keys', 'c'], ['create']],
    [['keys', 'create', ''], []],
    [['config', 'un'], ['unset']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['export', '--format', 'c'], ['csv']],
    [['whoami', '--js'], ['--json']],
    [
      ['inspect', 'KX', '--no-'],
      ['--no-contagion', '--no-diff', '--no-trend'],
    ],
    [['no-such', '--t'], ['--timeout']],
  ])('offers for %j', (words, expected) => {
    expect(offered(...words).sort()).toEqual([...expected].sort())
  })

  it('offers every command, and no other name', () => {
    expect(offered('').sort()).toEqual(COMMANDS.map(({ name }) => name).sort())
  })
})

describe('augury completion', () => {
  it.each([
    ['zsh', zshScript(COMMANDS), (flag: string) => `'--${flag}`],
    ['fish', fishScript(COMMANDS), (flag: string) => ` -l ${flag}`],
  ])('names every command and flag for %s', (_, script, form) => {
    for (const { name, flags } of COMMANDS) {
      expect(script).toContain(name)
      for (const flag of [...Object.keys(flags), ...Object.keys(GLOBAL_FLAGS)]) {
        expect(script).toContain(form(flag))
      }
    }
    expect(script).toMatch(/kalshi polymarket/)
  })

  it('prints the script of a supported shell', async () => {
    const line = commandLine()
    const script = await line.run(['completion', 'bash'])
    expect([script.exit, script.out, script.err]).toEqual([0, BASH, ''])
    const unknown = await line.run(['completion', 'tcsh'])
    expect([unknown.exit, unknown.err]).toEqual([2, expect.stringContaining('bash, zsh, fish')])
    line.remove()
  })
})
