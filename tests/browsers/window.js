// A window of WebKit, the engine of Safari, for gjs: does what lines of JSON on standard input say, and answers each with one
// (webkit.mjs). It notes what must not happen from a page's first script on: errors, breaches of the content security policy,
// answers that are refusals, requests to anywhere but the service.
import GLib from 'gi://GLib';
import Gio from 'gi://Gio';
import Gtk from 'gi://Gtk?version=3.0';
import WebKit from 'gi://WebKit2?version=4.1';

// In every page, before its own scripts.
const listener = `{
  const note = (text) => webkit.messageHandlers.fault.postMessage(String(text));
  const told = (error) => (error?.stack ? error + ' at ' + error.stack : error);
  addEventListener('error', ({ message, filename, lineno, target }) => note(message ? message + ' at ' + filename + ':' + lineno : 'not loaded: ' + (target.src ?? target.href)), true);
  addEventListener('unhandledrejection', ({ reason }) => note('unhandled: ' + told(reason)));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => note('policy: ' + violatedDirective + ' ' + blockedURI));
  for (const level of ['error', 'warn']) console[level] = (...words) => note(words.map(told).join(' '));
}`;

Gtk.init(null);
const [origin] = ARGV;
const faults = [];
const content = new WebKit.UserContentManager();
content.add_script(new WebKit.UserScript(listener, WebKit.UserContentInjectedFrames.ALL_FRAMES, WebKit.UserScriptInjectionTime.START, null, null));
content.register_script_message_handler('fault');
content.connect('script-message-received::fault', (_, message) => faults.push(message.get_js_value().to_string()));
const context = WebKit.WebContext.new_ephemeral();
context.set_preferred_languages(['en-GB']);
const view = new WebKit.WebView({ web_context: context, user_content_manager: content });
const window = new Gtk.OffscreenWindow();
window.add(view);
window.show_all();

view.connect('web-process-terminated', () => faults.push('the page has ended'));
view.connect('load-failed', (_, event, uri, error) => { faults.push(`${uri}: ${error.message}`); });
const pending = new Set(); // what is being loaded, without what goes on for ever
view.connect('resource-load-started', (_, resource) => {
  const uri = resource.get_uri();
  if (!uri.includes('/stream')) pending.add(resource);
  for (const end of ['finished', 'failed']) resource.connect(end, () => pending.delete(resource));
  if (/^https?:/.test(uri) && !uri.startsWith(`${origin}/`)) faults.push(`a request to ${uri}`);
  resource.connect('finished', () => {
    const status = resource.get_response()?.get_status_code() ?? 0;
    if (status >= 400) faults.push(`${status}: ${resource.get_uri()}`);
  });
});

// Resolves when nothing has been pending for a moment: a page that is left earlier cannot load what it has asked for, and says so.
const quiet = () => new Promise((resolve) => {
  let [rounds, still] = [0, 0];
  GLib.timeout_add(GLib.PRIORITY_DEFAULT, 50, () => {
    still = pending.size === 0 ? still + 1 : 0;
    if (still < 4 && ++rounds < 100) return GLib.SOURCE_CONTINUE;
    pending.clear();
    resolve();
    return GLib.SOURCE_REMOVE;
  });
});

const loaded = () => new Promise((resolve) => {
  const id = view.connect('load-changed', (_, event) => {
    if (event !== WebKit.LoadEvent.FINISHED) return;
    view.disconnect(id);
    resolve(null);
  });
});

const commands = {
  go({ path }) {
    const ended = loaded();
    view.load_uri(origin + path);
    return ended;
  },

  // Sizes are those of the page, without anything of a browser's.
  look({ width, height, dark }) {
    Object.assign(Gtk.Settings.get_default(), { gtk_application_prefer_dark_theme: dark, gtk_enable_animations: false });
    window.set_default_size(width, height);
    window.resize(width, height);
    return null;
  },

  // The body of an asynchronous function, whose result is text.
  run: ({ script }) => new Promise((resolve, reject) => {
    view.call_async_javascript_function(script, -1, null, null, null, null, (_, result) => {
      try {
        resolve(view.call_async_javascript_function_finish(result).to_string());
      } catch (error) {
        reject(error);
      }
    });
  }),

  picture: ({ file, whole }) => new Promise((resolve) => {
    view.get_snapshot(whole ? WebKit.SnapshotRegion.FULL_DOCUMENT : WebKit.SnapshotRegion.VISIBLE, WebKit.SnapshotOptions.NONE, null, (_, result) => {
      view.get_snapshot_finish(result).writeToPNG(file);
      resolve(null);
    });
  }),

  async faults() {
    await quiet();
    return faults.splice(0);
  },

  version: () => [WebKit.get_major_version(), WebKit.get_minor_version(), WebKit.get_micro_version()].join('.'),
};

const input = new Gio.DataInputStream({ base_stream: Gio.UnixInputStream.new(0, false) });
function listen() {
  input.read_line_async(GLib.PRIORITY_DEFAULT, null, (_, result) => {
    const [line] = input.read_line_finish_utf8(result);
    if (line === null) Gtk.main_quit();
    else answer(JSON.parse(line)).then((text) => { print(text); listen(); });
  });
}

async function answer({ command, ...words }) {
  try {
    return JSON.stringify({ value: await commands[command](words) });
  } catch (error) {
    return JSON.stringify({ error: error.message });
  }
}

listen();
Gtk.main();
