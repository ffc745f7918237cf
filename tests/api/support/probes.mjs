// Malformed and unusual heads of requests (RFC 9112, RFC 9110), and what the gate says of each.
// What is refused is a POST where it can be, so that a test can tell by its effect whether it was
// carried out after all; `Host: a` and a good body are there unless the probe is about them.
const host = 'Host: a\r\n';
const line = (requestLine, fields = host) => `${requestLine}\r\n${fields}\r\n`;
const get = (target, fields = '') => line(`GET ${target} HTTP/1.1`, host + fields);
const posted = (fields, body = '') => `POST /x HTTP/1.1\r\n${host}${fields}\r\n${body}`;
const chunked = (body, fields = '') => posted(`${fields}Transfer-Encoding: chunked\r\n`, body);
const a = (count) => 'a'.repeat(count);

const lengths = [
  ['two Content-Length, different', posted('Content-Length: 5\r\nContent-Length: 6\r\n', 'hello!')],
  ['two Content-Length, equal', posted('Content-Length: 5\r\nContent-Length: 5\r\n', 'hello')],
  ['two Content-Length in different case', posted('Content-Length: 5\r\ncontent-length: 6\r\n', 'hello!')],
  ['Content-Length with a minus', posted('Content-Length: -5\r\n')],
  ['Content-Length with a plus', posted('Content-Length: +5\r\n', 'hello')],
  ['Content-Length in hex', posted('Content-Length: 0x5\r\n', 'hello')],
  ['Content-Length of hex digits', posted('Content-Length: a\r\n', a(10))],
  ['Content-Length without a value', posted('Content-Length:\r\n', 'hello')],
  ['Content-Length of blanks', posted('Content-Length:   \r\n', 'hello')],
  ['Content-Length as list', posted('Content-Length: 5, 5\r\n', 'hello')],
  ['Content-Length as list of different numbers', posted('Content-Length: 5,6\r\n', 'hello!')],
  ['Content-Length with a blank after', posted('Content-Length: 5 \r\n', 'hello')],
  ['Content-Length with a blank inside', posted('Content-Length: 1 1\r\n', 'hello world')],
  ['Content-Length with a leading zero', posted('Content-Length: 05\r\n', 'hello')],
  ['Content-Length with a fraction', posted('Content-Length: 5.0\r\n', 'hello')],
  ['Content-Length with an exponent', posted('Content-Length: 1e1\r\n', a(10))],
  ['Content-Length in quotes', posted('Content-Length: "5"\r\n', 'hello')],
  ['Content-Length with an underscore', posted('Content-Length: 1_0\r\n', a(10))],
  ['Content-Length with a letter after', posted('Content-Length: 5b\r\n', 'hello')],
  ['Content-Length with a semicolon', posted('Content-Length: 5;a=b\r\n', 'hello')],
  ['Content-Length in other digits', posted('Content-Length: \xb2\r\n', 'he')],
].map((each) => [...each, 400, 'bad-content-length']);

const large = [
  ['a body over the limit by 1', posted('Content-Length: 65537\r\n')],
  ['a body over any limit by 1', posted('Content-Length: 1048577\r\n')],
  ['Content-Length of 2^31', posted('Content-Length: 2147483648\r\n')],
  ['Content-Length of 2^32 and 5', posted('Content-Length: 4294967301\r\n', 'hello')],
  ['Content-Length of 2^63', posted('Content-Length: 9223372036854775808\r\n')],
  ['Content-Length of 2^64 - 1', posted('Content-Length: 18446744073709551615\r\n')],
  ['Content-Length of 2^64 and 5', posted('Content-Length: 18446744073709551621\r\n', 'hello')],
  ['Content-Length of 200 digits', posted(`Content-Length: ${'9'.repeat(200)}\r\n`)],
  ['a large body that the client asks for', posted('Expect: 100-continue\r\nContent-Length: 65537\r\n')],
].map((each) => [...each, 413, 'body-too-large']);

const encodings = [
  ['Content-Length and Transfer-Encoding', posted('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
  ['Transfer-Encoding and Content-Length', posted('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n')],
  ['Transfer-Encoding: chunked', chunked('5\r\nhello\r\n0\r\n\r\n')],
  ['Transfer-Encoding: CHUNKED', posted('TRANSFER-ENCODING: CHUNKED\r\n', '0\r\n\r\n')],
  ['Transfer-Encoding: xchunked', posted('Transfer-Encoding: xchunked\r\n')],
  ['Transfer-Encoding: chunked in quotes', posted('Transfer-Encoding: "chunked"\r\n')],
  ['Transfer-Encoding: chunked, chunked', posted('Transfer-Encoding: chunked, chunked\r\n')],
  ['Transfer-Encoding: chunked, gzip', posted('Transfer-Encoding: chunked, gzip\r\n')],
  ['Transfer-Encoding: gzip', posted('Transfer-Encoding: gzip\r\n')],
  ['Transfer-Encoding: identity', posted('Transfer-Encoding: identity\r\nContent-Length: 5\r\n', 'hello')],
  ['Transfer-Encoding: identity, chunked', posted('Transfer-Encoding: identity, chunked\r\n', '0\r\n\r\n')],
  ['Transfer-Encoding: chunked with a parameter', posted('Transfer-Encoding: chunked;a=b\r\n', '0\r\n\r\n')],
  ['Transfer-Encoding after a tab', posted('Transfer-Encoding:\tchunked\r\n', '0\r\n\r\n')],
  ['Transfer-Encoding without a blank', posted('Transfer-Encoding:chunked\r\n', '0\r\n\r\n')],
  ['Transfer-Encoding with a blank after', posted('Transfer-Encoding: chunked \r\n', '0\r\n\r\n')],
  ['Transfer-Encoding twice', posted('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n')],
  ['Transfer-Encoding without a value', posted('Transfer-Encoding:\r\nContent-Length: 5\r\n', 'hello')],
  ['Transfer-Encoding that starts with a comma', posted('Transfer-Encoding: ,chunked\r\n', '0\r\n\r\n')],
  ['Transfer-Encoding of GET', get('/x', 'Transfer-Encoding: chunked\r\n') + '0\r\n\r\n'],
  ['a chunk extension', chunked('5;a=b\r\nhello\r\n0\r\n\r\n')],
  ['a bare LF in chunks', chunked('5\nhello\n0\n\n')],
  ['a chunk size of 0x5', chunked('0x5\r\nhello\r\n0\r\n\r\n')],
  ['a chunk size of -1', chunked('-1\r\n\r\n')],
  ['a chunk size beyond 64 bits', chunked(`${'f'.repeat(17)}\r\n`)],
  ['a chunk without a size', chunked('\r\nhello\r\n0\r\n\r\n')],
  ['a chunk that is longer than its size', chunked('2\r\nhello\r\n0\r\n\r\n')],
  ['trailers', chunked('0\r\nContent-Length: 5\r\n\r\n', 'Trailer: Content-Length\r\n')],
].map((each) => [...each, 400, 'transfer-encoding']);

const hosts = [
  ['two Hosts', line('GET /x HTTP/1.1', 'Host: a\r\nHost: b\r\n')],
  ['two Hosts, equal', line('GET /x HTTP/1.1', 'Host: a\r\nHost: a\r\n')],
  ['no Host', line('GET /x HTTP/1.1', '')],
  ['an empty Host', line('GET /x HTTP/1.1', 'Host:\r\n')],
  ['a Host with a user', line('GET /x HTTP/1.1', 'Host: a@b\r\n')],
  ['a Host as list', line('GET /x HTTP/1.1', 'Host: a, b\r\n')],
  ['a Host with a path', line('GET /x HTTP/1.1', 'Host: a/b\r\n')],
  ['a Host with a scheme', line('GET /x HTTP/1.1', 'Host: http://a\r\n')],
  ['a Host with a blank', line('GET /x HTTP/1.1', 'Host: a b\r\n')],
  ['a Host with a query', line('GET /x HTTP/1.1', 'Host: a?b\r\n')],
  ['a Host with an escape', line('GET /x HTTP/1.1', 'Host: a%00\r\n')],
  ['a Host over 127', line('GET /x HTTP/1.1', 'Host: \xe4\r\n')],
].map((each) => [...each, 400, 'bad-host']);

const requestLines = [
  ['a line without a version', 'GET /x\r\n\r\n'],
  ['HTTP/0.9 with fields', line('GET /x')],
  ['two blanks before the version', line('GET /x  HTTP/1.1')],
  ['two blanks before the target', line('GET  /x HTTP/1.1')],
  ['a tab before the target', line('GET\t/x HTTP/1.1')],
  ['a tab before the version', line('GET /x\tHTTP/1.1')],
  ['a vertical tab before the version', line('GET /x\x0bHTTP/1.1')],
  ['a form feed before the version', line('GET /x\x0cHTTP/1.1')],
  ['a bare CR before the version', line('GET /x\rHTTP/1.1')],
  ['a blank in the target', get('/a b')],
  ['a blank after the version', line('GET /x HTTP/1.1 ')],
  ['a word after the version', line('GET /x HTTP/1.1 HTTP/1.1')],
  ['blanks before the method', line('  GET /x HTTP/1.1')],
  ['a tab before the method', line('\tGET /x HTTP/1.1')],
  ['no target', line('GET HTTP/1.1')],
  ['an empty target', line('GET  HTTP/1.1')],
  ['a line of one word', line('GET')],
  ['a line of blanks', line('   ')],
  ['a version in lower case', line('GET /x http/1.1')],
  ['a version without a name', line('GET /x 1.1')],
  ['a version of one digit', line('GET /x HTTP/1')],
  ['a version of two digits behind', line('GET /x HTTP/1.10')],
  ['a version with a zero before', line('GET /x HTTP/01.1')],
  ['a version with letters', line('GET /x HTTP/a.b')],
  ['another protocol', line('GET /x HTTPS/1.1')],
  ['NUL in the method', line('GE\0T /x HTTP/1.1')],
  ['NUL in the target', get('/x\0y')],
  ['NUL in the version', line('GET /x HTTP/1.1\0')],
  ['an escape character in the target', get('/x\x1b[2J')],
  ['DEL in the target', get('/x\x7f')],
  ['a method in brackets', line('(GET) /x HTTP/1.1')],
  ['a method with a slash', line('GET/x /x HTTP/1.1')],
  ['a method over 127', line('G\xc9T /x HTTP/1.1')],
  ['JSON instead of HTTP', '{"a":1}\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['a field before the request line', `X-A: a\r\n${get('/x')}`],
  ['a lone CR before the request', `\r${get('/x')}`],
].map((each) => [...each, 400, 'bad-request-line']);

const lineEnds = [
  ['bare LF as line ends', 'GET /x HTTP/1.1\nHost: a\n\n'],
  ['a bare LF behind the request line', `GET /x HTTP/1.1\n${host}\r\n`],
  ['a bare LF behind a field', 'GET /x HTTP/1.1\r\nHost: a\n\r\n'],
  ['a bare LF as the end of the head', `GET /x HTTP/1.1\r\n${host}\n`],
  ['a bare LF before the request', `\n${get('/x')}`],
  ['a bare LF in a value', get('/x', 'X-A: a\nTransfer-Encoding: chunked\r\n')],
  ['a bare LF in the target', line('GET /x\nHost: b HTTP/1.1')],
  ['LF CR as line ends', 'GET /x HTTP/1.1\n\rHost: a\n\r\n\r'],
].map((each) => [...each, 400, 'bad-line-end']);

const fieldLines = [
  ['a bare CR in a value', get('/x', 'X-A: a\rb\r\n')],
  ['a bare CR as a line end', get('/x', 'X-A: a\rTransfer-Encoding: chunked\r\n')],
  ['two CR before LF', get('/x', 'X-A: a\r\r\n')],
  ['a bare CR as the end of the head', `GET /x HTTP/1.1\r\n${host}\rX\r\n\r\n`],
  ['obs-fold of the first field', line('GET /x HTTP/1.1', ' X-A: a\r\nHost: a\r\n')],
  ['obs-fold of Host', line('GET /x HTTP/1.1', 'Host: a\r\n b\r\n')],
  ['obs-fold of Content-Type', get('/x', 'Content-Type: a\r\n b\r\n')],
  ['obs-fold with a tab', get('/x', 'X-A: a\r\n\tb\r\n')],
  ['obs-fold of nothing', get('/x', 'X-A: a\r\n \r\n')],
  ['a folded Authorization', get('/x', 'Authorization: Bearer\r\n a\r\n')],
  ['blank before the colon', posted('Transfer-Encoding : chunked\r\nContent-Length: 5\r\n', 'hello')],
  ['tab before the colon', posted('Content-Length\t: 5\r\n', 'hello')],
  ['a field without colon', get('/x', 'Xabc\r\n')],
  ['an empty name', get('/x', ': a\r\n')],
  ['an empty name and value', get('/x', ':\r\n')],
  ['a blank for a name', get('/x', ' : a\r\n')],
  ['a blank in a name', get('/x', 'X A: a\r\n')],
  ['a bracket in a name', get('/x', 'X(A): a\r\n')],
  ['a slash in a name', get('/x', 'X/A: a\r\n')],
  ['a quote in a name', get('/x', '"X-A": a\r\n')],
  ['an at sign in a name', get('/x', '@X: a\r\n')],
  ['NUL in a name', get('/x', 'X\0A: a\r\n')],
  ['a byte over 127 in a name', get('/x', 'X-\xff: a\r\n')],
  ['NUL in a value', get('/x', 'Content-Type: a\0b\r\n')],
  ['NUL behind a Content-Length', posted('Content-Length: 5\0\r\n', 'hello')],
  ['a tab in a value', get('/x', 'X-A: a\tb\r\n')],
  ['a control byte in a value', get('/x', 'X-A: a\x1bb\r\n')],
  ['BEL in a value', get('/x', 'X-A: \x07\r\n')],
  ['DEL in a value', get('/x', 'X-A: a\x7fb\r\n')],
  ['a byte order mark before a name', get('/x', '\xef\xbb\xbfX-A: a\r\n')],
].map((each) => [...each, 400, 'bad-header-field']);

const folded = [
  // The first line alone is refused before the fold is seen.
  ['a folded Content-Length', posted('Content-Length:\r\n 5\r\n', 'hello'), 400, 'bad-content-length'],
  ['folded Transfer-Encoding, and Content-Length', posted('Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'), 400, 'transfer-encoding'],
  ['Content-Length, and folded Transfer-Encoding', posted('Content-Length: 5\r\nTransfer-Encoding:\r\n\tchunked\r\n', '0\r\n\r\n'), 400, 'transfer-encoding'],
  ['Transfer-Encoding as the fold of another field', posted('X-A: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', 'hello'), 400, 'bad-header-field'],
];

const versions = ['HTTP/1.0', 'HTTP/1.2', 'HTTP/1.9', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/3.0', 'HTTP/9.9']
  .map((version) => [version, line(`GET /x ${version}`), 505, 'unsupported-version'])
  .concat([
    ['HTTP/1.0 without Host', line('GET /x HTTP/1.0', ''), 505, 'unsupported-version'],
    ['HTTP/1.0 with Transfer-Encoding', `POST /x HTTP/1.0\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 505, 'unsupported-version'],
    ['HTTP/1.0 with keep-alive', line('GET /x HTTP/1.0', `${host}Connection: keep-alive\r\n`), 505, 'unsupported-version'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 'unsupported-version'],
  ]);

const targets = [
  ['%00', get('/a%00b')],
  ['%2e%2e', get('/%2e%2e/a')],
  ['%2f', get('/a%2fb')],
  ['%0d%0a', get('/a%0d%0aX-A:b')],
  ['half an escape', get('/a%2')],
  ['an escape that is none', get('/a%zz')],
  ['an escape twice', get('/a%252e')],
  ['overlong UTF-8 in escapes', get('/%c0%ae%c0%ae/a')],
  ['dots with an escape', get('/a/.%2E/b')],
  ['an escape in the query', get('/x?a=%41')],
  ['a fragment', get('/x#y')],
  ['a fragment behind a query', get('/x?a=b#y')],
  ['a backslash', get('/a\\..\\b')],
  ['a parameter in the path', get('/a;b=c')],
  ['dot segments', get('/a/../b')],
  ['a dot segment', get('/a/./b')],
  ['an empty segment', get('/a//b')],
  ['an empty first segment', get('//a/b')],
  ['a slash at the end', get('/v1/a/')],
  ['nine segments', get('/1/2/3/4/5/6/7/8/9')],
  ['absolute form', get('http://a/x')],
  ['absolute form of another host', get('http://b/x')],
  ['authority form', get('a:80')],
  ['asterisk form', get('*')],
  ['no slash first', get('x')],
  ['a query only', get('?a=b')],
  ['bytes over 127', get('/\xff')],
  ['a colon in the path', get('/a:b')],
  ['a second question mark', get('/x?a=b?c')],
  ['brackets in the query', get('/x?a[]=b')],
  ['angle brackets', get('/<x>')],
  ['quotes', get('/"x"')],
].map((each) => [...each, 400, 'bad-request-target']);

const queries = [
  ['a repeated parameter', get('/x?a=1&a=2')],
  ['a nameless parameter', get('/x?=1')],
  ['an empty parameter', get('/x?a=1&&b=2')],
  ['nine parameters', get('/x?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9')],
  ['500 parameters', get(`/x?${Array.from({ length: 500 }, () => 'a').join('&')}`)],
].map((each) => [...each, 400, 'bad-query']);

const methods = ['get', 'Get', 'OPTIONS', 'TRACE', 'TRACK', 'PROPFIND', 'GETS', 'G', '!', 'a'.repeat(200)]
  .map((method) => [`the method ${method.slice(0, 10)}`, line(`${method} /x HTTP/1.1`), 501, 'unknown-method'])
  .concat([
    ['CONNECT', line('CONNECT a:443 HTTP/1.1'), 501, 'unknown-method'],
    ['OPTIONS *', line('OPTIONS * HTTP/1.1'), 501, 'unknown-method'],
    ['a method of 5,000 letters', line(`${'A'.repeat(5000)} /x HTTP/1.1`), 501, 'unknown-method'],
  ]);

const sizes = [
  ['a target over the limit by 1', get(`/${a(1024)}`), 414, 'target-too-long'],
  ['a target of 8 KiB', get(`/${a(8191)}`), 414, 'target-too-long'],
  ['a target of 40 KB', get(`/${a(40000)}`), 414, 'target-too-long'],
  ['a field over the limit by 1', get('/x', `X-A: ${a(5120 - 'HostaX-A'.length + 1)}\r\n`), 431, 'header-too-large'],
  ['a field of 8 KB', get('/x', `X-A: ${a(8000)}\r\n`), 431, 'header-too-large'],
  ['a field of 12 KB', get('/x', `X-A: ${a(12000)}\r\n`), 431, 'header-too-large'],
  ['a name of 8 KB', get('/x', `${a(8000)}: a\r\n`), 431, 'header-too-large'],
  ['a field that never ends', `GET /x HTTP/1.1\r\n${host}X-A: ${a(60000)}`, 431, 'header-too-large'],
  ['8 KB of blanks before a value', get('/x', `X-A: ${' '.repeat(8000)}a\r\n`), 431, 'header-too-large'],
  ['a Cookie of 15 KiB', get('/x', `Cookie: a=${a(15000)}\r\n`), 431, 'header-too-large'],
  ['a Cookie of 5 KB', get('/x', `Cookie: a=${a(5000)}\r\n`), 431, 'header-too-large'],
  ['500 cookies', get('/x', `Cookie: ${Array.from({ length: 500 }, () => 'a=b').join('; ')}\r\n`), 431, 'header-too-large'],
  ['49 fields', get('/x', 'X-A: a\r\n'.repeat(48)), 431, 'header-too-large'],
  ['200 fields', get('/x', 'X-A: a\r\n'.repeat(200)), 431, 'header-too-large'],
  ['10,000 fields', get('/x', 'X-A: a\r\n'.repeat(10000)), 431, 'header-too-large'],
  ['empty lines only', '\r\n'.repeat(20000), 431, 'header-too-large'],
];

const bodies = [
  ['GET with a body', get('/x', 'Content-Length: 5\r\n') + 'hello', 400, 'unexpected-body'],
  ['HEAD with a body', get('/x', 'Content-Length: 5\r\n').replace('GET', 'HEAD') + 'hello', 400, 'unexpected-body'],
  ['GET with a body and Expect', get('/x', 'Expect: 100-continue\r\nContent-Length: 5\r\n') + 'hello', 400, 'unexpected-body'],
  ['Content-Encoding: gzip', posted('Content-Encoding: gzip\r\nContent-Length: 5\r\n', 'hello'), 415, 'unsupported-media-type'],
  ['Content-Encoding: identity', posted('Content-Encoding: identity\r\nContent-Length: 5\r\n', 'hello'), 415, 'unsupported-media-type'],
  ['Content-Encoding: deflate, br', posted('content-encoding: deflate, br\r\nContent-Length: 5\r\n', 'hello'), 415, 'unsupported-media-type'],
];

const expectations = [
  ['Expect other than 100-continue', posted('Expect: 1\r\nContent-Length: 5\r\n')],
  ['an empty Expect', posted('Expect:\r\nContent-Length: 5\r\n', 'hello')],
  ['Expect: 100-continue, and more', posted('Expect: 100-continue, a\r\nContent-Length: 5\r\n', 'hello')],
  ['Expect: 100-continue with a parameter', posted('Expect: 100-continue;a=b\r\nContent-Length: 5\r\n', 'hello')],
  ['Expect with a word behind', posted('Expect: 100-continued\r\nContent-Length: 5\r\n', 'hello')],
].map((each) => [...each, 417, 'bad-expectation']);

const repeated = ['Idempotency-Key', 'Content-Type', 'Authorization', 'Cookie', 'Origin', 'If-Match', 'If-None-Match', 'Last-Event-ID']
  .map((name) => [`two ${name}`, get('/x', `${name}: a\r\n${name.toLowerCase()}: a\r\n`), 400, 'repeated-header-field']);

// [name, bytes, status, code]
export const refused = [
  ...lengths, ...large, ...encodings, ...hosts, ...requestLines, ...lineEnds, ...fieldLines, ...folded, ...versions,
  ...targets, ...queries, ...methods, ...sizes, ...bodies, ...expectations, ...repeated,
];
