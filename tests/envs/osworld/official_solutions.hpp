#pragma once
/// Scripted solutions of official tasks that desktops of this machine can play:
/// Python that runs in the desktop. They act below the user interface
/// (settings, files of a profile) where they can: what they prove is setup,
/// protocol and grades. docs/osworld.md lists them, and why the others cannot
/// be played.

#include <fmt/format.h>

#include <string>
#include <vector>

namespace brewery::osworld {

struct official_solution {
  std::string task; ///< the beginning of its id
  std::string code; ///< empty: FAIL
};

inline std::string setting(const char* schema, const char* key,
                           const char* value) {
  return fmt::format("import subprocess; subprocess.run(['gsettings', 'set', "
                     "'{}', '{}', \"{}\"], check=True)",
                     schema, key, value);
}

/// Ends VLC, which writes its file at its end, and sets a line of it.
inline std::string vlc_line(const char* line) {
  return fmt::format(R"(
import os, subprocess
subprocess.run(['pkill', '-x', 'vlc']); time.sleep(1)
place = os.path.expanduser('~/.config/vlc/vlcrc')
os.makedirs(os.path.dirname(place), exist_ok=True)
key = '{0}'.split('=')[0] + '='
lines = open(place).read().split('\n') if os.path.exists(place) else []
lines = [one for one in lines if key not in one]
open(place, 'w').write('\n'.join(lines + ['{0}', ''])))",
                     line);
}

/// Ends GIMP, and puts a line into one of its files.
inline std::string gimp_line(const char* file, const char* line) {
  return fmt::format(R"(
import os, subprocess
time.sleep(3); subprocess.run(['pkill', 'gimp']); time.sleep(1)
place = os.path.expanduser('~/.config/GIMP/2.10/{}')
os.makedirs(os.path.dirname(place), exist_ok=True)
open(place, 'a').write('{}\n'))",
                     file, line);
}

/// Ends Chromium, and changes a JSON file of its profile: `data`.
inline std::string chromium_file(const char* file, const char* change) {
  return fmt::format(R"(
import json, os, subprocess
home = os.path.expanduser('~/.config/google-chrome/Default/')
def wait(holds):
    end = time.monotonic() + 60
    while not holds() and time.monotonic() < end:
        time.sleep(0.1)
wait(lambda: os.path.exists(home + 'Preferences'))
subprocess.run(['pkill', 'chromium'])
wait(lambda: subprocess.run(['pgrep', 'chromium']).returncode)
place = home + '{}'
data = json.load(open(place)) if os.path.exists(place) else dict()
{}
json.dump(data, open(place, 'w')))",
                     file, change);
}

inline constexpr const char* new_bookmarks = R"(
def folder(number, name, children):
    return dict(children=children, date_added='1', date_last_used='0',
                date_modified='0', id=number, name=name, type='folder')
data = dict(version=1, checksum='', roots=dict(
    bookmark_bar=folder('1', 'Bookmarks bar', [folder('4', 'Favorites', [])]),
    other=folder('2', 'Other bookmarks', []),
    synced=folder('3', 'Mobile bookmarks', []))))";

/// Types an address into Chromium's bar when its window is there, and waits for
/// the title of the page.
inline std::string chromium_page(const char* address, const char* title) {
  return fmt::format(R"(
import subprocess
def titled(name):
    end = time.monotonic() + 60
    while name not in subprocess.run(['wmctrl', '-l'], capture_output=True,
                                     text=True).stdout:
        if time.monotonic() > end:
            raise SystemExit('no window of ' + name)
        time.sleep(0.2)
titled('Chromium'); time.sleep(2)
subprocess.run(['wmctrl', '-a', 'Chromium']); time.sleep(0.5)
pyautogui.hotkey('ctrl', 'l'); time.sleep(0.5)
pyautogui.write('{}'); pyautogui.press('enter')
titled('{}'); time.sleep(2))",
                     address, title);
}

/// Waits for LibreOffice, ends it, and sets a property of its settings.
inline std::string office_setting(const char* path, const char* name,
                                  const char* value) {
  return fmt::format(R"(
import os, subprocess
end = time.monotonic() + 60
while 'LibreOffice' not in subprocess.run(['wmctrl', '-l'], capture_output=True,
                                          text=True).stdout:
    if time.monotonic() > end:
        raise SystemExit('no window of LibreOffice')
    time.sleep(0.2)
subprocess.run(['pkill', 'soffice']); time.sleep(2)
place = os.path.expanduser(
    '~/.config/libreoffice/4/user/registrymodifications.xcu')
text = open(place).read()
item = ('<item oor:path="{}"><prop oor:name="{}" oor:op="fuse">'
        '<value>{}</value></prop></item>')
open(place, 'w').write(text.replace('</oor:items>', item + '</oor:items>')))",
                     path, name, value);
}

/// A shell command; its failure is the solution's.
inline std::string command(const char* line) {
  return fmt::format("import subprocess; subprocess.run(r\"\"\"{}\n\"\"\", "
                     "shell=True, check=True)",
                     line);
}

inline std::vector<official_solution> official_solutions() {
  return {
      {"a4d98375",
       setting("org.gnome.desktop.screensaver", "lock-enabled", "true")},
      {"bedcedc4", setting("org.gnome.desktop.session", "idle-delay", "0")},
      {"f9be0997",
       setting("org.gnome.desktop.notifications", "show-banners", "false")},
      {"3ce045a0",
       setting("org.gnome.desktop.interface", "text-scaling-factor", "1.5")},
      {"7767eef2", gimp_line("gimprc", "(theme \"Light\")")},
      {"7b7617bd", gimp_line("gimprc", "(undo-levels 100)")},
      {"d52d6308", gimp_line("sessionrc", "(hide-docks yes)")},
      {"215dfd39", vlc_line("qt-bgcone=0")},
      {"5ac2891a", vlc_line("play-and-exit=0")},
      {"8ba5ae7a", vlc_line("input-record-path=/home/user/Desktop")},
      {"a5bbbcd5", vlc_line("qt-minimal-view=1")},
      {"d06f0d4d", vlc_line("qt-slider-colours=1;1;1;2;2;2;3;3;3;4;4;4")},
      {"f3977615", vlc_line("one-instance-when-started-from-file=0")},
      {"48d05431", "import os; open(os.path.expanduser('~/.bashrc'), 'a')"
                   ".write('# >>> conda initialize >>>\\n')"},
      {"9195653c", vlc_line("qt-max-volume=200")},
      {"030eeff7",
       chromium_file("Preferences", "data['enable_do_not_track'] = True")},
      {"99146c54",
       chromium_file("Preferences",
                     "data.setdefault('profile', dict()).update("
                     "default_content_setting_values=dict(cookies=4))")},
      {"bb5e4c0d",
       chromium_file("Preferences",
                     "data['default_search_provider_data'] = dict("
                     "template_url_data=dict(short_name='Microsoft Bing', "
                     "keyword='bing.com', "
                     "url='https://www.bing.com/search?q={searchTerms}'))")},
      {"2ad9387a", chromium_file("Bookmarks", new_bookmarks)},
      {"3720f614", ""},
      {"480bcfea", ""},
      {"ae78f875", ""},
      {"4783cc41", ""},
      {"a462a795", ""},
      {"b3d4a89c", ""},
      {"c288e301", ""},
      {"fe41f596", ""},
      {"5ca86c6f", ""},
      {"e19bd559", ""},
      {"fbb548ca", ""},
      {"6d72aad6", ""},
      {"7882ed6e", ""},
      {"cb130f0d", ""},
      {"28cc3b7e", command("pulseaudio --start; "
                           "pactl set-sink-volume @DEFAULT_SINK@ 100%")},
      {"e0df059f",
       command("mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2")},
      {"ec4e3f68",
       command("gsettings set org.gnome.shell favorite-apps "
               "\"['thunderbird.desktop', 'google-chrome.desktop']\"")},
      {"2373b66a",
       command("sar -u 1 30 > ~/Desktop/System_Resources_Report.txt")},
      {"937087b6",
       command("xdg-mime default vlc.desktop $(grep ^MimeType= "
               "/usr/share/applications/vlc.desktop | tr '=;' '\\n\\n' | "
               "grep ^video/)")},
      {"2cd43775", office_setting("/org.openoffice.Office.Common/Save/Document",
                                  "AutoSaveTimeIntervall", "3")},
      {"2ae9ba84",
       chromium_file("Preferences", "data.setdefault('profile', dict())"
                                    ".update(name='Thomas')")},
      {"af630914",
       chromium_file("Preferences", "data.setdefault('webkit', dict())"
                                    ".setdefault('webprefs', dict())"
                                    ".update(default_font_size=24)")},
      {"9656a811",
       chromium_file("Preferences", "data.setdefault('safebrowsing', dict())"
                                    ".update(enabled=True)")},
      {"12086550", chromium_page("chrome://password-manager/passwords",
                                 "Password Manager")},
  };
}

} // namespace brewery::osworld
