// Notifies players of their turn while they are looking elsewhere, if they have asked for it.
const key = "tillroll.notices";

export function canTell() {
  return "Notification" in window;
}

export function tells() {
  return canTell() && Notification.permission === "granted" && localStorage.getItem(key) === "yes";
}

// Asks the reader's browser. True if it allows it.
export async function askToTell() {
  const allowed = canTell() && (await Notification.requestPermission()) === "granted";
  localStorage.setItem(key, allowed ? "yes" : "no");
  return allowed;
}

export function tell(text) {
  if (!tells() || document.visibilityState === "visible") return;
  const notice = new Notification(text, { icon: "/static/icon.svg", tag: location.pathname });
  notice.addEventListener("click", () => window.focus());
}
