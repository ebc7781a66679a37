/**
 * Texts that mean something to a database, a shell, a page, a file system, a regular expression or
 * the language itself, and nothing to a reader of markets.
 */
export const HOSTILE_TEXTS: readonly string[] = [
  ...['', ' ', '\u0000', 'a\u0000b', '\u0007\u001b[2J', '\r\nSet-Cookie: a=b', '\u202e', '\ufeff'],
  ...['\ufffd', '\u{1f4a9}', 'ａ'.repeat(200), '%', '%zz', '%00', '%2e%2e%2f', '&', '=', '#', '/'],
  ...["' OR '1'='1", '1; DROP TABLE account;--', "') UNION SELECT password_hash FROM account--"],
  ...["read_text('/etc/passwd')", "x'; ATTACH '/etc/passwd' AS y; --", "getenv('PATH')", '$1', '?'],
  ...[
    "'; COPY (SELECT 1) TO '/tmp/augury-taken'; --",
    "glob('/*')",
    '"; PRAGMA user_version=9; --',
  ],
  ...[
    '../../../../etc/passwd',
    '..\\..\\..\\windows',
    '/etc/passwd',
    'file:///etc/passwd',
    '\\\\h\\x',
  ],
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '${7*7}',
  ],
  ...[
    '{{7*7}}',
    '=HYPERLINK("http://attacker.test")',
    '$(id)',
    '`id`',
    '|id',
    '%s%n',
    '{"$ne":null}',
  ],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'then'],
  ...['(a+)+$', '((((((((((', '[', '*', '.*'.repeat(50), `${'a'.repeat(60)}!`, 'will '.repeat(900)],
  ...['NaN', 'Infinity', '-0', '1e400', '9'.repeat(400), '0x10', 'null', 'undefined', 'true', '[]'],
  ...['x'.repeat(6_000), 'a,'.repeat(3_000), '-'.repeat(6_000), `${'a '.repeat(2_500)}b`],
]

/** Those of them that each parameter is tried with, where others take turns. */
export const WORST_TEXTS: readonly string[] = [
  ...['', '\u0000', 'a\u0000b', '%', '%zz', '\ufffd', "' OR '1'='1", "'; DROP TABLE account;--"],
  ...["read_text('/etc/passwd')", '../../../../etc/passwd', '<script>alert(1)</script>'],
  ...['{"$ne":null}', '[1]', '__proto__', 'constructor', '((((((((((', 'x'.repeat(6_000)],
]

/** What no parameter of a type can be read from, by the type. */
export const UNREADABLE = {
  integer: [
    ...[
      '',
      ' ',
      'zz',
      '1.5',
      '1e3',
      '0x10',
      'NaN',
      'Infinity',
      '1,2',
      '--1',
      '+',
      '1 2',
      '١',
      '1n',
    ],
    ...['1\u0000', 'null', '[]', '[1]', '{}', 'true', '1_0', '__proto__', 'constructor', "1' OR 1"],
  ],
  number: [
    ...[
      '',
      ' ',
      'zz',
      'NaN',
      'Infinity',
      '-Infinity',
      '1e400',
      '-1e400',
      '0x10',
      '1,5',
      '--1',
      '.',
    ],
    ...['1 2', '١', 'null', '[]', '1e', 'e1', '1_0', '__proto__', 'constructor', '1; SELECT 1'],
  ],
  boolean: [
    ...['', ' ', 'yes', 'no', '2', '-1', '01', 'null', 'tru', 'true false', '[]', 'on', '1.0'],
    ...['__proto__', 'constructor', 'toString'],
  ],
  word: [
    ...['', ' ', 'zz', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'],
    ...['null', '0', "' OR 1=1--", '..', '\u0000', 'x'.repeat(6_000)],
  ],
  time: [
    ...['', ' ', 'zz', '1', '1790000000000', '1e12', 'NaN', 'now', 'yesterday', '20261120'],
    ...['9999-99-99T99:99:99Z', '2026-02-30', '2026-13-01', '2026-00-10', '2026-11-00', '2026-1-1'],
    ...['2026-11-20T25:00:00Z', '2026-11-20T10:60:00Z', '2026-11-20T10:00:00+99:99', '2026-11-20T'],
    ...['+275760-09-13T00:00:00.000Z', '-000001-01-01T00:00:00Z', '2026-11-20T10:00:00Z\u0000'],
    ...[
      '2026-11-20T10:00:00Z; SELECT 1',
      '__proto__',
      '0000-01-01',
      '2025-02-29',
      '9999-12-31T23:00:00-01:00',
      '٢٠٢٦-11-20',
    ],
  ],
  since: [
    ...['', ' ', 'zz', '0h', '-1h', '1y', '1', 'h', '100001d', '1.5h', '١h', '1h\u0000', '1hh'],
    ...['1e3h', '999999999999999999d', '2026-02-30', 'constructor', '__proto__'],
  ],
} as const satisfies Record<string, readonly string[]>

/** What a parameter of a type can be read from, at the ends of what there is. */
export const EXTREME = {
  integer: [
    '0',
    '-0',
    '-1',
    '+1',
    '2147483648',
    '9007199254740993',
    '9'.repeat(400),
    `-${'9'.repeat(400)}`,
  ],
  number: ['0', '-0', '1e308', '-1e308', '5e-324', '.5', '9007199254740993', '1e-400', '+1'],
  boolean: ['TRUE', ' false ', '1', '0'],
  word: [],
  time: [
    ...[
      '0000-01-01',
      '0001-01-01T00:00:00Z',
      '1582-10-10',
      '1969-12-31T23:59:59.999Z',
      '1970-01-01',
    ],
    ...['9999-12-31T23:59:59.999Z', '2038-01-19T03:14:08Z', '1999-11-20T10:00:00.123456789+14:00'],
  ],
  since: ['1m', '100000m', '100000h', '100000d', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
} as const satisfies Record<string, readonly string[]>

/** Path segments as they are sent. */
export const HOSTILE_SEGMENTS: readonly string[] = [
  ...HOSTILE_TEXTS.filter((text) => text !== '').map((text) => encodeURIComponent(text)),
  ...[
    '%',
    '%z',
    '%zz',
    '%c0%ae%c0%ae',
    '%ed%a0%80',
    '%ff',
    '%F0%9F',
    '%00',
    '%2F',
    '%5C',
    '%0d%0aX',
  ],
  ...[
    '.',
    '..',
    '%2e',
    '%2e%2e',
    '%252e%252e%252f',
    '..%2f..%2f..%2fetc%2fpasswd',
    '%2e%2e%5c',
    '~',
  ],
  ...[
    '..;',
    ';a=b',
    'con',
    'nul',
    'a%2f',
    '%2fa',
    'a//b',
    "'",
    '@',
    ':',
    '*',
    '+',
    '!$&()',
    '00000000',
  ],
  ...[
    '00000000-0000-0000-0000-000000000000',
    `0x${'0'.repeat(64)}`,
    'pm:0x',
    `pm:0x${'f'.repeat(64)}`,
  ],
]

/** Documents that are no JSON, or not the JSON they seem to be. */
export const BROKEN_JSON: readonly (string | Uint8Array)[] = [
  ...[
    '{',
    '}',
    '[',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,}',
    '[1,]',
    "{'a':1}",
    '{a:1}',
    '{"a":NaN}',
  ],
  ...[
    '{"a":Infinity}',
    '{"a":0x10}',
    '{"a":01}',
    '{"a":1}{"b":2}',
    '{"a":1} x',
    '{"a":"\u0000"}',
    'NaN',
  ],
  ...[
    'undefined',
    '{"a":"\n"}',
    '{"a":"\\x"}',
    '{"a":"\\ud8"}',
    '\u0000',
    'a=b',
    '<a/>',
    '/**/{}',
    '"',
  ],
  ...[
    '['.repeat(100_000),
    '{"a":'.repeat(100_000),
    `{"a":${'['.repeat(50_000)}`,
    '\u0000{}',
    'nul',
  ],
  // UTF-16, and bytes that are no UTF-8 outside a string.
  ...[
    Buffer.from('\ufeff{}', 'utf16le'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from([0x7b, 0xc3, 0x7d]),
  ],
]

const nested = (depth: number, open: string, inner: string, close: string): string =>
  open.repeat(depth) + inner + close.repeat(depth)

/** JSON that is no object. */
export const NO_OBJECTS: readonly string[] = [
  ...[
    '[]',
    '[{}]',
    '[[]]',
    '["__proto__"]',
    '0',
    '1',
    '-1',
    '1e400',
    'true',
    'false',
    '""',
    '"text"',
  ],
  ...[
    '"{}"',
    nested(100_000, '[', '1', ']'),
    `[${'{},'.repeat(50_000)}{}]`,
    `"${'x'.repeat(900_000)}"`,
  ],
  '9'.repeat(900_000),
]

/** Texts of values that are heavy, or mean something to the language. */
export const HEAVY_VALUES: Readonly<Record<string, string>> = {
  'deep array': nested(50_000, '[', '1', ']'),
  'deep object': nested(50_000, '{"a":', '1', '}'),
  'many keys': `{${Array.from({ length: 60_000 }, (_value, at) => `"k${at}":0`).join()}}`,
  'repeated keys': `{${'"a":1,'.repeat(100_000)}"a":2}`,
  'many items': `[${'0,'.repeat(400_000)}0]`,
  'long text': `"${'x'.repeat(900_000)}"`,
  'long text of blanks': `"${' '.repeat(900_000)}"`,
  'text of escapes': `"${'\\u0041'.repeat(150_000)}"`,
  'long number': '9'.repeat(900_000),
  'small number': `0.${'0'.repeat(900_000)}1`,
  prototype: '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
}

/** Keys that would change what every object has, were they copied. */
export const POLLUTING: readonly string[] = [
  '"__proto__":{"polluted":true,"isAdmin":true}',
  '"constructor":{"prototype":{"polluted":true}}',
  '"prototype":{"polluted":true}',
  '"__proto__":null',
  '"toString":1,"hasOwnProperty":true,"valueOf":null,"then":1,"length":-1',
]

/** Values of every kind, as they are written in JSON. */
export const KINDS_OF_VALUES: readonly string[] = [
  ...['null', 'true', 'false', '0', '-1', '1.5', '1e308', '1e400', '-1e400', '9007199254740993'],
  ...['[]', '{}', '[null]', '[[]]', '[{}]', '{"a":1}', '["a"]', '{"length":5}', '{"toString":1}'],
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00a"', '"\\u202e"', '"\\n"', '"\\u001b[2J"'],
  ...WORST_TEXTS.map((text) => JSON.stringify(text)),
]

/** These, and every text. */
export const HOSTILE_VALUES: readonly string[] = [
  ...KINDS_OF_VALUES,
  ...HOSTILE_TEXTS.map((text) => JSON.stringify(text)),
]
