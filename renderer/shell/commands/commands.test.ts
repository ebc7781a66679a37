import { describe, expect, it } from 'vitest'
import { COMMANDS, commandOf, specOf, VERBS } from './commands.ts'
import type { ArgSpec, CommandSpec, FilterSpec } from './command-spec.ts'

/** A row as text: what can be typed, and what it does. */
function rowText(spec: CommandSpec): string {
  const { subjects, args, filters, flags, takesParams } = spec
  const partText = ({ name, kind, values = [], help, ...rest }: ArgSpec | FilterSpec): string =>
    [`  ${name}: ${kind}`, values.join(' '), JSON.stringify(rest), help].join(' | ')
  return [
    `${[spec.verb, ...(spec.aliases ?? [])].join(' ')} | ${spec.area} | ${spec.title} | ${spec.help}`,
    `  ${spec.effect} ${spec.route ?? 'no request'}, for example ${spec.example}`,
    `  subjects ${subjects.join(' ')}${spec.needsMarket ? ', by default the market in focus' : ''}`,
    ...(spec.byVenue ? ['  @venue'] : []),
    ...(takesParams === undefined ? [] : [`  other filters: ${takesParams}`]),
    ...args.map(partText),
    ...filters.map(partText),
    ...flags.map((flag) => `  flag ${flag}`),
  ].join('\n')
}

describe('the command table', () => {
  it('accepts what its file lists, and nothing else', async () => {
    const text = `${COMMANDS.map(rowText).join('\n\n')}\n`
    await expect(text).toMatchFileSnapshot('commands.txt')
  })

  it('has one row for each verb, in the order of the list', () => {
    expect(COMMANDS.map(({ verb }) => verb)).toEqual([...VERBS])
  })

  it.each(COMMANDS.map((spec) => [spec.verb, spec] as const))('%s is consistent', (verb, spec) => {
    expect(verb).toMatch(/^[A-Z]{2,7}$/)
    expect(spec.help.length).toBeGreaterThan(8)
    expect(spec.help).not.toMatch(/\.$/)
    expect(spec.example).toContain(verb)
    expect(spec.effect === 'app').toBe(spec.route === null)
    if (spec.needsMarket) expect(spec.subjects).toContain('ticker')
    const names = [...spec.args, ...spec.filters].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const texts = spec.args.filter(({ kind }) => kind === 'text')
    expect(texts.length === 0 || spec.args.length === 1).toBe(true)
    const valued = ['enum', 'study', 'overlay']
    for (const { kind, values } of spec.args)
      expect(valued.includes(kind)).toBe(values !== undefined)
  })

  it.each(['DES', 'GP', 'BOOK', 'HIST', 'MOV', 'CHG'] as const)(
    '%s is found by the title of its pane',
    (verb) => {
      expect(commandOf(specOf(verb).title)).toBe(specOf(verb))
    },
  )

  it('finds a command in any case and nothing else', () => {
    expect(commandOf('book')).toBe(specOf('BOOK'))
    expect(commandOf('books')).toBeNull()
  })
})
